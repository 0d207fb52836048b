import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../local/aws/dynamodb.ts';
import { localCertificates } from '../../local/certificates.ts';
import type { StackFacts } from '../../local/console/wire.ts';
import { eventKinds } from '../../shared/domain/webhooks/event.ts';
import { call } from '../support/stack/api.ts';
import { type StackProcess, startStackProcess } from '../support/stack/stack-process.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { askForCalls, fictionalNumbers } from './callers.ts';
import { audit, type Books, type Customer, isSettled, readBooks, type Verdict } from './ledger.ts';
import { type Conduct, type Receivers, startReceivers } from './receivers.ts';

export type TortureOptions = {
	readonly calls: number;
	readonly endpoints: number;
	/** How the first of them misbehave. */
	readonly misbehaving: readonly Conduct[];
	/** How often the whole stack is killed; 0: never. */
	readonly kills: number;
	/** Between a start and the next kill. */
	readonly kill_every_ms: number;
	readonly within_ms: number;
	readonly say: (line: string) => void;
};
export type TortureReport = Verdict & {
	readonly kills: number;
	readonly seconds: number;
	/** From the first request to the last arrival at a healthy receiver. */
	readonly arrivals: number;
	readonly arrivals_per_second: number;
};

const ASK_AGAIN_MS = 1000;
const QUIET_MS = 4000;
const SAY_MS = 10_000;

/**
 * Calls of many visitors on a real stack, reported to many receivers of which some misbehave, while the whole stack is
 * killed again and again: what arrives, how often, and what is left at the end.
 */
export async function torture(options: TortureOptions): Promise<TortureReport> {
	const state_dir = temporaryDirectory('torture-');
	const certificates = await localCertificates(state_dir);
	const receivers = await startReceivers(conductsOf(options), certificates);
	const stack = await killableStack(join(state_dir, 'stack'), [
		...['--port', String(await freePort()), '--speed', '20'],
		...['--allow-webhook-host', `localhost:${receivers.port}`, '--trust', certificates.ca_file],
	]);
	const saying = setInterval(() => options.say(progress(receivers)), SAY_MS);
	try {
		return await run(options, stack, receivers);
	} finally {
		clearInterval(saying);
		await stack.running().stop();
		await receivers.close();
		rmSync(state_dir, { recursive: true, force: true });
	}
}

function conductsOf({ endpoints, misbehaving }: TortureOptions): readonly Conduct[] {
	return Array.from({ length: endpoints }, (_, n) => misbehaving[n] ?? 'healthy');
}

/** A stack on one directory: killed, it starts again on the same ports with all that it kept. */
type KillableStack = { readonly running: () => StackProcess; killAndStart(): Promise<void> };

async function killableStack(state_dir: string, options: readonly string[]): Promise<KillableStack> {
	let stack = await startStackProcess(state_dir, options);
	return {
		running: () => stack,
		async killAndStart() {
			await stack.stop('SIGKILL');
			stack = await startStackProcess(state_dir, options);
		},
	};
}

async function run(options: TortureOptions, killable: KillableStack, receivers: Receivers): Promise<TortureReport> {
	const stack = killable.running();
	const customers = await subscribe(stack, receivers);
	const started_ms = Date.now();
	const asked = askForCalls(stack, fictionalNumbers(options.calls));
	const [call_ids] = await Promise.all([asked, killAgainAndAgain(options, killable)]);
	options.say(`all ${call_ids.length} calls are over`);
	const books = await quietBooks(stack, customers, receivers, started_ms + options.within_ms);
	const verdict = audit(books, customers, receivers, { call_ids, exactly_once: options.kills === 0 });
	const healthy = customers.map(({ receiver }) => receiver).filter(({ conduct }) => conduct === 'healthy');
	const arrivals = healthy.reduce((sum, { arrived }) => sum + arrived.size, 0);
	const seconds = (Math.max(...healthy.map(({ last_at_ms }) => last_at_ms)) - started_ms) / 1000;
	return { ...verdict, kills: options.kills, seconds, arrivals, arrivals_per_second: arrivals / seconds };
}

/** One endpoint for each receiver, in place of the demo's own. */
async function subscribe(stack: StackFacts, receivers: Receivers): Promise<readonly Customer[]> {
	const headers = { authorization: `Bearer ${stack.api_key}` };
	const { json: listed } = await call(stack.base_url, '/webhook-endpoints', { headers });
	for (const { id } of listed.data)
		await call(stack.base_url, `/webhook-endpoints/${id}`, { method: 'DELETE', headers });
	const customers: Customer[] = [];
	for (const receiver of receivers.all) {
		const body = { url: `https://localhost:${receivers.port}/${receiver.name}`, events: eventKinds };
		const { status, json, text } = await call(stack.base_url, '/webhook-endpoints', { body, headers });
		if (status !== 201) throw new Error(`an endpoint was refused: ${status} ${text}`);
		receiver.secret = json.data.secret;
		customers.push({ receiver, endpoint_id: json.data.id });
	}
	return customers;
}

async function killAgainAndAgain(options: TortureOptions, stack: KillableStack): Promise<void> {
	for (let n = 1; n <= options.kills; n += 1) {
		// Between half and one and a half of it, so that it hits anything.
		await wait(options.kill_every_ms * (0.5 + Math.random()));
		options.say(`kill ${n}`);
		await stack.killAndStart();
	}
}

/** The books once nothing moves any more at the healthy receivers, or as they are when the time is over. */
async function quietBooks(
	stack: StackFacts,
	customers: readonly Customer[],
	receivers: Receivers,
	deadline_ms: number,
): Promise<Books> {
	for (;;) {
		await wait(ASK_AGAIN_MS);
		const last_at_ms = Math.max(...receivers.all.map((receiver) => receiver.last_at_ms));
		if (Date.now() < deadline_ms && Date.now() - last_at_ms < QUIET_MS) continue;
		const books = await readBooks(stack);
		if (isSettled(books, customers) || Date.now() >= deadline_ms) return books;
	}
}

function progress({ all }: Receivers): string {
	const sum = (conduct: (conduct: Conduct) => boolean): number =>
		all.filter((each) => conduct(each.conduct)).reduce((total, { arrived }) => total + arrived.size, 0);
	return `${sum((conduct) => conduct === 'healthy')} events at healthy receivers, ${sum((conduct) => conduct !== 'healthy')} at the others`;
}
