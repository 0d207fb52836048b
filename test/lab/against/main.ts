import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { operatorDeps, readOperatorEnv } from '../../../ops/connect.ts';
import type { RequestEvent } from '../../../shared/http/edge/request.ts';
import { functionStandIns } from '../../support/aws/function-stand-ins.ts';
import { deployedBundles } from '../../support/stack/builds.ts';
import { newCustomer } from '../../support/webhooks/customers.ts';
import { scratch } from '../bench/child.ts';
import { median, ms, ratioOf } from '../bench/row.ts';
import { prepareRelease } from '../upgrade/around/release.ts';
import { type VisitorRequest, visitorRequests } from './visitor-requests.ts';

// npm run lab -- against 28086779: compares a commit with today's code. It measures cold starts and warm requests of the
// functions that visitors wait for. The two sides take turns on the same stand-ins. The measure is processor time, which other
// load on the machine hardly affects.

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		colds: { type: 'string', default: '31' },
		batches: { type: 'string', default: '15' },
		only: { type: 'string' },
	},
});
const SIDES = ['before', 'today'] as const;
type Side = (typeof SIDES)[number];
const WARM_UP = 30;
const BATCH = 20;

const RUNNER = `const { handler } = require(process.argv[1]);
Promise.resolve(handler(JSON.parse(process.argv[2]), { getRemainingTimeInMillis: () => 10000 })).then((response) => {
	const { user, system } = process.cpuUsage();
	process.send({ cpu_us: user + system, statuses: [response.statusCode], body: response.body });
});`;

/** The environment variables that the template sets in addition to the names of resources. */
const SETTINGS = {
	TELEPHONY_PROVIDER: 'simulator',
	TELEPHONY_SETTINGS: JSON.stringify({ url: 'http://127.0.0.1:9', shared_secret: 'bench' }),
	CALLER_NUMBER: '+13125550100',
	PUBLIC_BASE_URL: 'https://calls.example/v1',
	WIDGET_SCRIPT: 'https://widget.example/widget.js',
	NODE_OPTIONS: '',
};

type Report = { readonly cpu_us: number; readonly statuses: readonly number[]; readonly body?: string };
type Env = Readonly<Record<string, string | undefined>>;

/** Waits for the next report of a child process. */
async function reportOf(child: ChildProcess): Promise<Report> {
	const patience = new AbortController();
	const ended = once(child, 'exit', { signal: patience.signal }).then(([code]) => {
		throw new Error(`the function's process ended with ${code}`);
	});
	ended.catch(() => undefined);
	const [report] = await Promise.race([once(child, 'message'), ended]);
	patience.abort();
	return report;
}

/** Measures the processor time of a new process from its start to its first response. */
async function cold(file: string, event: RequestEvent, env: Env): Promise<Report> {
	const args = ['--expose-gc', '--max-http-header-size=81920', '-e', RUNNER, file, JSON.stringify(event)];
	const child = spawn(process.execPath, args, {
		cwd: dirname(file),
		env,
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	const report = await reportOf(child);
	child.kill();
	return report;
}

/** Starts a process that holds a warm function. */
function warm(file: string, env: Env) {
	const child = fork(join(import.meta.dirname, 'warm.js'), [file], {
		env,
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	return {
		async take(events: readonly RequestEvent[]): Promise<Report> {
			child.send({ events });
			return reportOf(child);
		},
		stop: () => child.kill(),
	};
}

const refuse = ({ statuses }: Report, { operation, status }: VisitorRequest): void => {
	const others = statuses.filter((each) => each !== status);
	if (others.length > 0) throw new Error(`${operation} answered ${others.join(', ')}`);
};

/**
 * The two sides in the order of this round. The order changes with each round, so that neither side always profits from the
 * other's caches.
 */
const inTurn = (round: number): readonly Side[] => (round % 2 === 0 ? SIDES : SIDES.toReversed());

async function compare(request: VisitorRequest, folders: Readonly<Record<Side, string>>, env: Env) {
	const fileOf = (side: Side) => join(folders[side], request.operation, 'index.js');
	const colds: Record<Side, number[]> = { before: [], today: [] };
	for (let round = 0; round <= Number(values.colds); round += 1) {
		for (const side of inTurn(round)) {
			const report = await cold(fileOf(side), request.next(), env);
			refuse(report, request);
			// The first run of each side is not counted, because it fills the disk's cache.
			if (round > 0) colds[side].push(report.cpu_us / 1000);
		}
	}
	const functions = { before: warm(fileOf('before'), env), today: warm(fileOf('today'), env) };
	const warms: Record<Side, number[]> = { before: [], today: [] };
	const events = (count: number) => Array.from({ length: count }, () => request.next());
	for (const side of SIDES) refuse(await functions[side].take(events(WARM_UP)), request);
	for (let round = 0; round < Number(values.batches); round += 1) {
		for (const side of inTurn(round)) {
			const report = await functions[side].take(events(BATCH));
			refuse(report, request);
			warms[side].push(report.cpu_us / 1000 / BATCH);
		}
	}
	for (const side of SIDES) functions[side].stop();
	const shown = (of: Readonly<Record<Side, readonly number[]>>) => {
		const { before, today } = { before: median(of.before), today: median(of.today) };
		return { before: ms(before), today: ms(today), ratio: ratioOf(today, before) };
	};
	return { operation: request.operation, cold: shown(colds), warm: shown(warms) };
}

async function main(): Promise<void> {
	const former = prepareRelease(positionals[0]);
	if ('missing' in former) return console.log(`skipped: ${former.missing}`);
	const { name, folder } = former.release;
	execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, stdio: 'inherit' });
	// The package.json of the checkout would make Node.js load the bundles as ES modules, which they are not. So the bundles are
	// copied to another folder.
	const before = scratch();
	cpSync(join(folder, 'dist/functions'), before, { recursive: true });
	const folders = { before, today: await deployedBundles() };
	const { env: standIns, stop } = await functionStandIns();
	const env = { ...standIns, ...SETTINGS };
	try {
		const operator = readOperatorEnv({ ...env, NUMBER_KEY_ID: env.SEALING_KEY_ID });
		const customer = await newCustomer(await operatorDeps(operator));
		let callId = '';
		const requests = visitorRequests(customer, () => callId);
		const [, requestCall] = requests;
		if (requestCall === undefined) throw new Error('no request of a call');
		const { body = '' } = await cold(join(folders.today, 'request-call/index.js'), requestCall.next(), env);
		callId = JSON.parse(body).data.id;
		console.log(
			`processor time of ${name} and today's code, ${values.colds} cold starts and ${Number(values.batches) * BATCH} warm requests each, in turn`,
		);
		for (const request of requests.filter(({ operation }) => [undefined, operation].includes(values.only))) {
			const { operation, cold: start, warm: share } = await compare(request, folders, env);
			console.log(
				`${operation}: cold ${start.before} -> ${start.today} (${start.ratio}), warm ${share.before} -> ${share.today} (${share.ratio})`,
			);
		}
	} finally {
		await stop();
	}
}

await main();
process.exit();
