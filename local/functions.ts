import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import type { Named } from './template.ts';

/** What an invocation came to. `timed_out` and `crashed` are the platform's, `error` is thrown by the function. */
export type Invoked =
	| { readonly invoked: 'ok'; readonly result: unknown }
	| { readonly invoked: 'error'; readonly error: string }
	| { readonly invoked: 'timed_out' | 'crashed' };
export type LocalFunction = { readonly name: string; invoke(event: unknown): Promise<Invoked>; stop(): Promise<void> };

export type FunctionOptions = {
	/** The template's resource: environment, time-out, memory. */
	readonly resource: Named;
	/** Directory of the bundle. */
	readonly directory: string;
	/** Set besides the template's own variables: credentials, endpoints. */
	readonly environment: Readonly<Record<string, string>>;
	readonly log_directory: string;
	/** Instances at the same time, at most; further requests wait, as the queue would. */
	readonly concurrency: number;
};

const Environment = z.object({ Variables: z.record(z.string(), z.string()) });

type Instance = { readonly worker: Worker; finish: ((invoked: Invoked) => void) | null };

function variables({ resource, environment }: FunctionOptions): Record<string, string> {
	const declared = Environment.safeParse(resource.properties['Environment']);
	const own = declared.success ? declared.data.Variables : {};
	return {
		AWS_LAMBDA_FUNCTION_NAME: resource.id,
		AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(resource.properties['MemorySize'] ?? 128),
		AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
		TZ: 'UTC',
		...environment,
		...own,
	};
}

/** A function of the template, in worker threads: cold for its first request, warm after it, one request an instance. */
export function localFunction(options: FunctionOptions): LocalFunction {
	const { resource, concurrency } = options;
	const name = String(resource.metadata['function'] ?? resource.id);
	const timeout_ms = Number(resource.properties['Timeout'] ?? 3) * 1000;
	const log: WriteStream = createWriteStream(join(options.log_directory, `${name}.log`), { flags: 'a' });
	const idle: Instance[] = [];
	const all = new Set<Instance>();
	const waiting: (() => void)[] = [];
	let requests = 0;

	function start(): Instance {
		const worker = new Worker(new URL('./worker.ts', import.meta.url), {
			workerData: { file: join(options.directory, 'index.js') },
			env: variables(options),
			resourceLimits: { maxOldGenerationSizeMb: Number(resource.properties['MemorySize'] ?? 128) },
			stdout: true,
			stderr: true,
		});
		worker.stdout.pipe(log, { end: false });
		worker.stderr.pipe(log, { end: false });
		const instance: Instance = { worker, finish: null };
		all.add(instance);
		worker.on('message', (message: { readonly ready?: true; readonly error?: string; readonly result?: unknown }) => {
			if (message.ready) return;
			instance.finish?.(
				message.error === undefined
					? { invoked: 'ok', result: message.result }
					: { invoked: 'error', error: message.error },
			);
		});
		worker.on('error', (error) =>
			log.write(`${JSON.stringify({ level: 'ERROR', fact: 'crashed', error: String(error) })}\n`),
		);
		worker.on('exit', () => {
			all.delete(instance);
			const position = idle.indexOf(instance);
			if (position >= 0) idle.splice(position, 1);
			instance.finish?.({ invoked: 'crashed' });
		});
		return instance;
	}

	async function take(): Promise<Instance> {
		for (;;) {
			const warm = idle.pop();
			if (warm !== undefined) return warm;
			if (all.size < concurrency) return start();
			await new Promise<void>((resolve) => waiting.push(resolve));
		}
	}

	async function invoke(event: unknown): Promise<Invoked> {
		const instance = await take();
		requests += 1;
		const context = { awsRequestId: `${name}-${requests}`, functionName: name };
		const invoked = await new Promise<Invoked>((resolve) => {
			const timer = setTimeout(() => resolve({ invoked: 'timed_out' }), timeout_ms);
			instance.finish = (outcome) => {
				clearTimeout(timer);
				resolve(outcome);
			};
			instance.worker.postMessage({ event, context });
		});
		instance.finish = null;
		if (invoked.invoked === 'timed_out') {
			log.write(`${JSON.stringify({ level: 'ERROR', fact: `Task timed out after ${timeout_ms / 1000} seconds` })}\n`);
			await instance.worker.terminate();
		} else if (all.has(instance)) {
			idle.push(instance);
		}
		waiting.shift()?.();
		return invoked;
	}

	return {
		name,
		invoke,
		async stop() {
			await Promise.all([...all].map(({ worker }) => worker.terminate()));
			log.end();
		},
	};
}
