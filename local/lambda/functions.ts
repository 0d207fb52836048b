import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import { ACCOUNT, type NamedResource, REGION } from '../template.ts';

/** How an invocation has ended. The platform causes `timed_out` and `crashed`, and the function causes `error`. */
export type InvokeResult =
	| { readonly invoked: 'ok'; readonly result: unknown }
	| { readonly invoked: 'error'; readonly error: string }
	| { readonly invoked: 'timed_out' | 'crashed' };
export type LocalFunction = {
	readonly name: string;
	invoke(event: unknown): Promise<InvokeResult>;
	stop(): Promise<void>;
};

export type FunctionOptions = {
	/** The function's resource in the template, with its environment, time-out and memory. */
	readonly resource: NamedResource;
	readonly directory: string;
	/** The folder into which instances write their compiled code, so that later instances start faster. */
	readonly code_directory?: string;
	/** Variables in addition to those in the template: credentials and endpoints. */
	readonly environment: Readonly<Record<string, string>>;
	readonly log_directory: string;
	/** How many instances may run at the same time. If all are busy, further requests wait. */
	readonly concurrency: number;
	/** True if a debugger is attached. The debugger may stop the function for any length of time. */
	readonly is_inspected?: boolean;
	/** An instance that is not used for this long ends. */
	readonly idle_ms?: number;
};

const Environment = z.object({ Variables: z.record(z.string(), z.string()) });

type Instance = {
	readonly worker: Worker;
	ready: boolean;
	finish: ((result: InvokeResult) => void) | null;
	idle_since_ms: number;
};
/**
 * What a worker thread sends. The first message says that the thread has loaded. Each further message has the result of a request
 * as JSON, or the name of the error.
 */
type InstanceMessage = { readonly ready: true } | { readonly result: string } | { readonly error: string };

/** How long a function may take to load. Lambda limits this separately from the function's time-out. */
const INIT_MS = 10_000;
/**
 * After this time, an idle instance ends, because it takes 20 MB here. Lambda ends idle instances after some minutes. AWS
 * does not document how many.
 */
const IDLE_MS = 60_000;
/** The time limit of a function to which a debugger is attached: a day. */
const INSPECTED_MS = 86_400_000;

const nameOf = ({ resource }: FunctionOptions): string => String(resource.metadata['function'] ?? resource.id);
const memoryOf = ({ resource }: FunctionOptions): number => Number(resource.properties['MemorySize'] ?? 128);

function variables(options: FunctionOptions): Record<string, string> {
	const { resource, environment } = options;
	const declaredEnvironment = Environment.safeParse(resource.properties['Environment']);
	const own = declaredEnvironment.success ? declaredEnvironment.data.Variables : {};
	return {
		AWS_LAMBDA_FUNCTION_NAME: resource.id,
		AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryOf(options)),
		AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
		TZ: 'UTC',
		...environment,
		...own,
	};
}

/** `Handler` names the file and its export, for example `index.handler`. */
function handlerOf({ resource, directory }: FunctionOptions): { readonly file: string; readonly name: string } {
	const [file = '', name = ''] = String(resource.properties['Handler']).split('.');
	return { file: join(directory, `${file}.js`), name };
}

/**
 * The file for a function's compiled code. The file's name contains the name of the function's directory, which changes with the
 * code. Null if no code is stored.
 */
function codeFileOf({ directory, code_directory: codeDirectory, is_inspected }: FunctionOptions): string | null {
	return codeDirectory === undefined || is_inspected === true ? null : join(codeDirectory, basename(directory));
}

function startInstance(options: FunctionOptions, log_file: string): Instance {
	// Limits the memory in which V8 creates new objects, for threads that start after this line. With more memory, a busy
	// instance kept 40 MB of garbage and was not faster.
	setFlagsFromString('--max-semi-space-size=1');
	const worker = new Worker(new URL('./worker.js', import.meta.url), {
		// Debuggers list threads by their names.
		name: nameOf(options),
		workerData: { ...handlerOf(options), log_file, code_file: codeFileOf(options) },
		env: variables(options),
		resourceLimits: { maxOldGenerationSizeMb: memoryOf(options) },
	});
	const instance: Instance = { worker, ready: false, finish: null, idle_since_ms: 0 };
	worker.on('message', (message: InstanceMessage) => {
		if ('ready' in message) instance.ready = true;
		else if ('error' in message) instance.finish?.({ invoked: 'error', error: message.error });
		else instance.finish?.({ invoked: 'ok', result: JSON.parse(message.result) });
	});
	worker.on('error', (error) => logError(log_file, 'crashed', String(error)));
	return instance;
}

function logError(logFile: string, fact: string, error: string): void {
	// If the stack has stopped, the folder of the log may have been deleted.
	if (existsSync(dirname(logFile)))
		appendFileSync(
			logFile,
			`${JSON.stringify({ timestamp: new Date().toISOString(), level: 'ERROR', fact, error })}\n`,
		);
}

/** Runs a request in an instance, until the request is answered or times out, or until the thread ends. */
async function runIn(instance: Instance, event: unknown, identity: object, timeoutMs: number): Promise<InvokeResult> {
	const limitMs = instance.ready ? timeoutMs : INIT_MS + timeoutMs;
	const context = { ...identity, awsRequestId: randomUUID(), deadline_ms: Date.now() + limitMs };
	const result = await new Promise<InvokeResult>((resolve) => {
		const timer = setTimeout(() => resolve({ invoked: 'timed_out' }), limitMs);
		instance.finish = (outcome) => {
			clearTimeout(timer);
			resolve(outcome);
		};
		instance.worker.postMessage({ event, context });
	});
	instance.finish = null;
	return result;
}

/** Ends the instances that have been idle since before `sinceMs`. The first instance in the list has been idle longest. */
function endRested(idle: Instance[], all: Set<Instance>, sinceMs: number): void {
	for (let first = idle[0]; first !== undefined && first.idle_since_ms < sinceMs; first = idle[0]) {
		idle.shift();
		// Remove the instance from the set before its thread has ended. Otherwise, a request could wait for this instance for
		// ever.
		all.delete(first);
		void first.worker.terminate();
	}
}

/** Runs a function in worker threads. Each thread is one instance and handles one request at a time. */
export function localFunction(options: FunctionOptions): LocalFunction {
	const { resource, concurrency, idle_ms = IDLE_MS, is_inspected = false } = options;
	const name = nameOf(options);
	const timeoutMs = is_inspected ? INSPECTED_MS : Number(resource.properties['Timeout'] ?? 3) * 1000;
	const identity = {
		functionName: resource.id,
		functionVersion: '$LATEST',
		invokedFunctionArn: `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${resource.id}`,
		memoryLimitInMB: String(memoryOf(options)),
	};
	const logFile = join(options.log_directory, `${name}.log`);
	const idle: Instance[] = [];
	const all = new Set<Instance>();
	const waiting: (() => void)[] = [];

	function start(): Instance {
		const instance = startInstance(options, logFile);
		all.add(instance);
		instance.worker.on('exit', () => {
			all.delete(instance);
			const position = idle.indexOf(instance);
			if (position >= 0) idle.splice(position, 1);
			instance.finish?.({ invoked: 'crashed' });
		});
		return instance;
	}

	const tidy = setInterval(() => endRested(idle, all, performance.now() - idle_ms), idle_ms);
	tidy.unref();

	async function take(): Promise<Instance> {
		for (;;) {
			const warm = idle.pop();
			if (warm !== undefined) return warm;
			if (all.size < concurrency) return start();
			await new Promise<void>((resolve) => waiting.push(resolve));
		}
	}

	return {
		name,
		async invoke(event) {
			const instance = await take();
			const result = await runIn(instance, event, identity, timeoutMs);
			if (result.invoked === 'timed_out') {
				logError(logFile, 'timed out', `after ${timeoutMs / 1000} seconds`);
				await instance.worker.terminate();
			} else if (all.has(instance)) {
				instance.idle_since_ms = performance.now();
				idle.push(instance);
			}
			waiting.shift()?.();
			return result;
		},
		async stop() {
			clearInterval(tidy);
			await Promise.all([...all].map(({ worker }) => worker.terminate()));
		},
	};
}
