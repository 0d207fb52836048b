import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../local/aws/dynamodb.ts';
import { DEADLINE_SECONDS } from '../shared/domain/calls/deadlines.ts';
import { type Answer, call, fromConsole, visitorBody } from './support/stack/api.ts';
import { type StackProcess, startStackProcess } from './support/stack/stack-process.ts';

// npm run soak [-- --minutes 60] [--speed 20] [--per-second 1] [--kill-every MINUTES] Random use of a whole stack: calls to
// every kind of simulated number, cancels, leads; optionally kills the stack at intervals. Nothing may stay live beyond its
// deadlines, and no phone may ring twice.

const { values } = parseArgs({
	options: {
		minutes: { type: 'string', default: '60' },
		speed: { type: 'string', default: '20' },
		'per-second': { type: 'string', default: '1' },
		'kill-every': { type: 'string', default: '0' },
	},
});
const number = (name: keyof typeof values): number => Number(values[name]);
const [minutes, speed, perSecond, killEvery] = [
	number('minutes'),
	number('speed'),
	number('per-second'),
	number('kill-every'),
];
if (![minutes, speed, perSecond, killEvery].every((value) => Number.isFinite(value) && value >= 0)) {
	console.error('npm run soak -- [--minutes 60] [--speed 20] [--per-second 1] [--kill-every MINUTES]');
	process.exit(2);
}

const AREAS = [201, 202, 203, 205, 206, 207, 208, 209, 210, 212, 213, 214, 215, 216, 217, 218, 219, 224, 225, 228];
const ENDINGS = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12', '13', '14', '15', '16', '17'];
const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Set-up at its slowest, then the sweep that finds a lost timer: it runs every minute, a minute after the deadline. */
const LONGEST_SET_UP_MS = (DEADLINE_SECONDS.set_up / Math.min(speed, 3)) * 1000 + 150_000;

type Call = {
	readonly id: string;
	readonly status: string;
	readonly created_at: string;
	readonly failure_reason: string | null;
};

const directory = mkdtempSync(join(tmpdir(), 'call-back-soak-'));
const port = await freePort();
const start = (): Promise<StackProcess> =>
	startStackProcess(join(directory, 'state'), ['--port', String(port), '--speed', String(speed)]);
let stack = await start();
const known: string[] = [];
const counts: Record<string, number> = {};
const problems: string[] = [];
const count = (what: string): void => {
	counts[what] = (counts[what] ?? 0) + 1;
};

/** Null while the stack is down. */
async function ask(path: string, send: Parameters<typeof call>[2] = {}): Promise<Answer | null> {
	return await call(stack.base_url, path, send).catch(() => null);
}
const key = () => ({ authorization: `Bearer ${stack.api_key}` });

async function visit(path: 'call-requests' | 'callback-leads'): Promise<void> {
	const phone = `+1${any(AREAS)}55501${any(ENDINGS)}`;
	const body = visitorBody(stack, { phone });
	const answer = await ask(`/widget/${path}`, { body, headers: { origin: stack.allowed_origin } });
	count(`${path} ${answer?.status ?? 'no answer'}`);
	if (path === 'call-requests' && answer?.status === 202) known.push(answer.json.data.id);
}

async function cancelOne(): Promise<void> {
	const id = known.length === 0 ? null : any(known.slice(-20));
	if (id === null) return;
	const answer = await ask(`/calls/${id}/cancel`, { body: {}, headers: key() });
	count(`cancel ${answer?.status ?? 'no answer'}`);
}

async function live(): Promise<readonly Call[]> {
	const found: Call[] = [];
	let cursor = '';
	for (;;) {
		const answer = await ask(`/calls?status=requested,ringing,connected&limit=100${cursor}`, { headers: key() });
		if (answer?.status !== 200) return found;
		found.push(...answer.json.data);
		if (answer.json.next_cursor === null) return found;
		cursor = `&cursor=${encodeURIComponent(answer.json.next_cursor)}`;
	}
}

async function inspect(): Promise<number> {
	const calls = await live();
	for (const { id, status, created_at } of calls) {
		const age_ms = Date.now() - Date.parse(created_at);
		if (status !== 'connected' && age_ms > LONGEST_SET_UP_MS) {
			problems.push(`call ${id} is ${status} after ${Math.round(age_ms / 1000)} s`);
		}
	}
	return calls.length;
}

async function killed(): Promise<void> {
	await stack.stop('SIGKILL');
	stack = await start();
	count('killed');
}

const started = Date.now();
const elapsed = (): number => (Date.now() - started) / 60_000;
let reported = 0;
let kills = 0;
try {
	while (elapsed() < minutes && problems.length === 0) {
		const chance = Math.random();
		if (chance < 0.75) await visit('call-requests');
		else if (chance < 0.85) await visit('callback-leads');
		else await cancelOne();
		if (killEvery > 0 && elapsed() > (kills + 1) * killEvery) {
			kills += 1;
			await killed();
		}
		if (elapsed() >= reported + 1) {
			reported = Math.floor(elapsed());
			console.log(`${reported} minutes: ${await inspect()} under way, ${JSON.stringify(counts)}`);
		}
		await pause((1000 / perSecond) * 2 * Math.random());
	}
	// Who still talks would do so for hours.
	const deadline = Date.now() + LONGEST_SET_UP_MS;
	for (let left = await live(); left.length > 0; left = await live()) {
		const talking = left.filter(({ status }) => status === 'connected');
		for (const { id } of talking) await ask(`/calls/${id}/cancel`, { body: {}, headers: key() });
		if (Date.now() > deadline) {
			problems.push(...left.map(({ id, status }) => `call ${id} is ${status} at the end`));
			break;
		}
		await pause(2000);
	}
	await judge();
} finally {
	await stack.stop();
	rmSync(directory, { recursive: true, force: true });
}

/** What became of all calls and deliveries, and of the phones. */
async function judge(): Promise<void> {
	const ends: Record<string, number> = {};
	for (const id of known) {
		const answer = await ask(`/calls/${id}`, { headers: key() });
		const record: Call | null = answer?.status === 200 ? answer.json.data : null;
		if (record === null) problems.push(`call ${id} cannot be read: ${answer?.status ?? 'no answer'}`);
		const end = record?.failure_reason ?? record?.status ?? 'unknown';
		ends[end] = (ends[end] ?? 0) + 1;
	}
	const log: readonly { what: string; leg_id: string }[] = await fromConsole(stack, '/phones');
	const dialed = log.filter(({ what }) => what === 'dialed').map(({ leg_id }) => leg_id);
	if (new Set(dialed).size < dialed.length) problems.push('somebody was rung twice');
	let open = await ask('/webhook-deliveries?status=pending,failed,held&limit=100', { headers: key() });
	for (let wait = 0; wait < 60 && open?.json.data.length > 0; wait += 1) {
		await pause(2000);
		open = await ask('/webhook-deliveries?status=pending,failed,held&limit=100', { headers: key() });
	}
	if (open?.json.data.length !== 0) problems.push(`${open?.json.data.length ?? 'unknown'} deliveries are not done`);
	console.log(`${known.length} calls in ${elapsed().toFixed(1)} minutes ended: ${JSON.stringify(ends)}`);
	console.log(problems.length === 0 ? 'nothing was left under way, nobody was rung twice' : problems.join('\n'));
	process.exitCode = problems.length === 0 ? 0 : 1;
}
