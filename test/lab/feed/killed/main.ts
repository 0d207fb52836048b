import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { callBackClient } from '../../../../packages/client/client.ts';
import { call, visitorBody } from '../../../support/stack/api.ts';
import { startStackProcess } from '../../../support/stack/stack-process.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { type Customer, newCustomer, operatorOf } from '../../../support/webhooks/customers.ts';
import { chance } from '../../world/chance.ts';
import { MOST_PHONES, phonesThatEnd } from './phones.ts';

// npm run lab -- follow --calls 1000 --seed 1
// Places calls on a running stack whose webhook endpoint is dead. A program follows the events of these calls. The run kills the
// program at random moments and restarts it with the last cursor that the program wrote. In the end, the program must have every
// event.

const { values } = parseArgs({
	options: { calls: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});
const CALLS = Number(values.calls);
const AT_ONCE = 10;
/** The feed ends this long before the current time (decision 90). */
const FEED_ENDS_MS = 30_000;
/** Much longer than any call of the simulated phones can last at this speed. */
const CALLS_END_WITHIN_MS = 300_000;
const FOLLOWER_ENDS_WITHIN_MS = 60_000;

type Client = ReturnType<typeof callBackClient>;
/** A page of events that the follower has written to its file. */
type Kept = { readonly ids: readonly string[]; readonly cursor: string };

/** The complete lines of the file. A kill may have cut off the last one. */
function keptIn(file: string): readonly Kept[] {
	if (!existsSync(file)) return [];
	const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
	return lines.map((line) => JSON.parse(line));
}

/** Runs the follower, and kills it again and again until `isOver` is true. Returns how often it was killed. */
async function followAndKill(args: { customer: Customer; base_url: string; file: string; isOver: () => boolean }) {
	const { customer, base_url, file, isOver } = args;
	const draw = chance(Number(values.seed));
	const script = join(import.meta.dirname, 'follower.ts');
	let kills = 0;
	while (!isOver()) {
		const cursor = keptIn(file).at(-1)?.cursor ?? '';
		const child = spawn(process.execPath, [script, base_url, customer.api_key, file, cursor], { stdio: 'inherit' });
		const exit = once(child, 'exit');
		await Promise.race([pause(500 + draw.below('lives', 6000)), exit]);
		// The follower ends by itself only if the API refused a request. It has printed the refusal.
		if (child.exitCode !== null) throw new Error(`the follower ended with ${child.exitCode}`);
		child.kill('SIGKILL');
		await exit;
		kills += 1;
	}
	return kills;
}

/** Requests a call as the widget does: if the busy service responds with 503, it repeats the request with the same key. */
async function requestCall(customer: Customer, baseUrl: string, phone: string): Promise<void> {
	const body = visitorBody(customer, { phone });
	const headers = { origin: customer.allowed_origin, 'idempotency-key': phone };
	for (let triesLeft = 5; ; triesLeft -= 1) {
		const { status, text } = await call(baseUrl, '/widget/call-requests', { body, headers });
		if (status === 202) return;
		if (status !== 503 || triesLeft === 0) throw new Error(`${status}: ${text}`);
		await pause(1000);
	}
}

async function requestCalls(customer: Customer, baseUrl: string): Promise<void> {
	const phones = phonesThatEnd(CALLS);
	while (phones.length > 0) {
		await Promise.all(phones.splice(0, AT_ONCE).map((phone) => requestCall(customer, baseUrl, phone)));
	}
}

/** Waits until no call is live. If a call stays live, that is a fault, and the error names the call. */
async function untilAllEnded(client: Client): Promise<void> {
	const latestMs = Date.now() + CALLS_END_WITHIN_MS;
	for (;;) {
		const live = await client.calls.list({ status: ['requested', 'ringing', 'connected'], limit: 10 });
		if (live.data.length === 0) return;
		if (Date.now() > latestMs) {
			const left = live.data.map(({ id, status, visitor_phone_masked }) => `${id} ${status} ${visitor_phone_masked}`);
			throw new Error(`calls that do not end: ${left.join(', ')}`);
		}
		await pause(1000);
	}
}

async function everyEvent(client: Client): Promise<string[]> {
	const ids: string[] = [];
	for await (const { id } of client.events.all({})) ids.push(id);
	return ids;
}

async function main(state_dir: string): Promise<boolean> {
	if (!(CALLS >= 1 && CALLS <= MOST_PHONES)) throw new Error(`--calls: an integer from 1 to ${MOST_PHONES}`);
	const startedMs = Date.now();
	const stack = await startStackProcess(state_dir, ['--port', '0', '--speed', '20']);
	let isOver = false;
	try {
		const { base_url } = stack;
		const customer = await newCustomer(await operatorOf({ state_dir }));
		const client = callBackClient({ base_url, api_key: customer.api_key });
		// The host of this URL does not exist.
		const events = ['call.requested', 'call.ringing', 'call.connected', 'call.completed', 'call.failed'] as const;
		await client.webhookEndpoints.create({ url: 'https://dead.hooks.example.com/', events: [...events] });
		const file = join(state_dir, 'followed.jsonl');
		const kept = () => keptIn(file).flatMap(({ ids }) => ids);
		const follower = followAndKill({ customer, base_url, file, isOver: () => isOver });
		const calls = async () => {
			await requestCalls(customer, base_url);
			await untilAllEnded(client);
			await pause(FEED_ENDS_MS);
			const expected = await everyEvent(client);
			const missed = () => expected.filter((id) => !new Set(kept()).has(id));
			const latestMs = Date.now() + FOLLOWER_ENDS_WITHIN_MS;
			while (missed().length > 0 && Date.now() < latestMs) await pause(1000);
			isOver = true;
			return { expected, missed: missed() };
		};
		const [{ expected, missed }, kills] = await Promise.all([calls(), follower]);
		const twice = kept().length - new Set(kept()).size;
		const seconds = Math.round((Date.now() - startedMs) / 1000);
		const found = `${missed.length} missed, ${twice} seen twice`;
		console.log(`${CALLS} calls, ${expected.length} events, ${kills} kills in ${seconds} s: ${found}`);
		for (const id of missed.slice(0, 10)) console.log(`missed: ${id}`);
		return missed.length === 0 && expected.length >= 2 * CALLS;
	} finally {
		isOver = true;
		await stack.stop();
	}
}

const stateDir = temporaryDirectory('call-back-follow-');
try {
	process.exitCode = (await main(stateDir)) ? 0 : 1;
} finally {
	rmSync(stateDir, { recursive: true, force: true });
}
