import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { startAwsProxy } from '../../local/aws/aws-proxy.ts';
import { localKms } from '../../local/aws/kms.ts';
import { openMailbox } from '../../local/aws/mailbox.ts';
import { operatorDeps, readOperatorEnv } from '../../ops/connect.ts';
import { limitNames } from '../../shared/domain/workspaces/workspace.ts';
import { createWorkspace } from '../../shared/use-cases/workspaces/create-workspace.ts';
import { startDynamo, startSqs } from '../../test/support/aws/stand-ins.ts';
import { deployedBundles } from '../../test/support/stack/builds.ts';
import { fictionalNumbers } from '../../test/torture/callers.ts';
import { gatewayEvent } from './gateway-event.ts';
import { median, ms, type Row, ratioOf, type Section, type Size } from './row.ts';

const repetitions: Readonly<Record<Size, number>> = { full: 21, quick: 1 };
const peers = ['bare', 'usual', 'ours'] as const;
type Peer = (typeof peers)[number];
const ORIGIN = 'https://shop.example';
const LIMIT = 100_000;
/** Lambda's flags for Node.js, except those for memory. */
const FLAGS = ['--expose-gc', '--max-http-header-size=81920'];

/**
 * Starts a new Node.js process that loads the bundle and answers one request. Returns the time and the process's processor
 * time until then.
 */
const RUNNER = `const { handler } = require(process.argv[1]);
Promise.resolve(handler(JSON.parse(process.argv[2]), { getRemainingTimeInMillis: () => 10000 }))
	.then(({ statusCode }) => {
		const { user, system } = process.cpuUsage();
		process.stdout.write(statusCode + ' after ' + (user + system) + ' us');
	});`;

/**
 * Measures from the start of a process to the first response of `POST /widget/call-requests`, for our bundle, the usual
 * stack and an empty function.
 */
export const coldStart: Section = {
	name: 'cold-start',
	async run(size) {
		const place = await prepare();
		try {
			const times: Record<Peer, FirstAnswer[]> = { bare: [], usual: [], ours: [] };
			const phones = fictionalNumbers(3 * (repetitions[size] + 1)).values();
			for (let n = 0; n <= repetitions[size]; n += 1) {
				for (const peer of peers) {
					const phone = peer === 'bare' ? '' : (phones.next().value ?? '');
					const took = await firstAnswer(place.bundles[peer], place.event(phone), place.env);
					// Discard the first run of each, which fills the disk cache.
					if (n > 0) times[peer].push(took);
				}
			}
			const wall = (peer: Peer): number => median(times[peer].map(({ took_ms }) => took_ms));
			const cpu = (peer: Peer): number => median(times[peer].map(({ cpu_ms }) => cpu_ms));
			const row = (what: string, goal: string, of: Peer, against: Peer): Row => {
				const measured = `${ms(wall(of))}, of the processor ${ms(cpu(of))}`;
				const ours = of === 'bare' ? 'ours' : of;
				const ratio = `${ratioOf(wall(ours), wall(against))}, ${ratioOf(cpu(ours), cpu(against))}`;
				return { what, goal, measured, ratio: of === 'usual' ? '' : ratio };
			};
			const what = 'cold start to first answer of POST /widget/call-requests';
			return [
				row(`${what}, usual stack`, '', 'usual', 'usual'),
				row(`${what}, ours`, 'ratio <= 0.65', 'ours', 'usual'),
				row('the same against a bare handler', '', 'bare', 'bare'),
			];
		} finally {
			await place.close();
		}
	},
};

type FirstAnswer = { readonly took_ms: number; readonly cpu_ms: number };

async function firstAnswer(file: string, event: object, env: NodeJS.ProcessEnv): Promise<FirstAnswer> {
	const started = performance.now();
	const child = spawn(process.execPath, [...FLAGS, '-e', RUNNER, file, JSON.stringify(event)], {
		env,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let said = '';
	let answered: FirstAnswer | null = null;
	child.stdout.on('data', (chunk: Buffer) => {
		said += chunk.toString('utf8');
		// Our function writes its log line to the same output, before it answers.
		const cpu_us = /202 after (\d+) us$/.exec(said)?.[1];
		if (cpu_us === undefined) return;
		answered = { took_ms: performance.now() - started, cpu_ms: Number(cpu_us) / 1000 };
		child.kill();
	});
	await once(child, 'close');
	if (answered === null) throw new Error(`${file} answered ${said.slice(0, 300)}`);
	return answered;
}

/** Builds the bundles of all three, and starts the stand-ins on loopback that they talk to. */
async function prepare() {
	const directory = mkdtempSync(join(tmpdir(), 'bench-cold-'));
	const bundles = await bundled(directory);
	const [dynamo, sqs] = [await startDynamo(), await startSqs()];
	const kms = localKms(join(directory, 'keys'));
	const proxy = await startAwsProxy({
		dynamodb: { url: dynamo.endpoint },
		sqs: { url: sqs.endpoint },
		kms,
		mailbox: openMailbox(join(directory, 'mail.jsonl')),
		roleOf: () => null,
	});
	const queue = (name: string): string => `${proxy.url}/000000000000/${name}`;
	for (const name of ['dial-legs', 'call-timers', 'deliveries']) sqs.server.createQueue(name);
	const env = {
		...(await dynamo.newTable()),
		AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
		AWS_ENDPOINT_URL_SQS: proxy.url,
		AWS_ENDPOINT_URL_KMS: proxy.url,
		NUMBER_KEY_ID: 'number',
		MAC_KEY_ID: 'mac',
		NUMBER_PUBLIC_KEY: kms.publicKey('number'),
		SEALING_KEY_ID: 'number',
		SECRET_KEY_ID: 'secret',
		QUEUE_URL_DIAL_LEGS: queue('dial-legs'),
		QUEUE_URL_CALL_TIMERS: queue('call-timers'),
		QUEUE_URL_DELIVERIES: queue('deliveries'),
		TELEPHONY_PROVIDER: 'simulator',
	};
	const workspace_key = await workspaceOf(env);
	return {
		bundles,
		env,
		event: (phone: string) => gatewayEvent({ origin: ORIGIN, workspace_key, phone }),
		async close() {
			await Promise.all([proxy.close(), sqs.stop(), dynamo.stop()]);
			rmSync(directory, { recursive: true, force: true });
		},
	};
}

async function bundled(directory: string) {
	const plain = async (name: string): Promise<string> => {
		const outfile = join(directory, `${name}.js`);
		const entryPoints = [resolve(import.meta.dirname, `peers/${name}.ts`)];
		// The default settings of a typical project: for Node.js, minified.
		await build({ entryPoints, outfile, bundle: true, platform: 'node', target: 'node24', minify: true });
		return outfile;
	};
	return {
		ours: join(await deployedBundles(), 'request-call', 'index.js'),
		usual: await plain('usual'),
		bare: await plain('bare'),
	};
}

async function workspaceOf(env: object): Promise<string> {
	const deps = await operatorDeps(readOperatorEnv(env));
	const limits = Object.fromEntries(limitNames.map((name) => [name, LIMIT]));
	const team = ['+13125550101'];
	const made = await createWorkspace({ name: 'Bench', region: 'US', origins: [ORIGIN], team, limits }, deps);
	if ('refused' in made) throw new Error(made.refused);
	return made.workspace.workspace_key;
}
