import type { StackFacts } from '../../local/console/wire.ts';
import { type ApiResponse, call } from '../support/stack/api.ts';
import { REFUSED_KIND, type Receiver, type Receivers } from './receivers.ts';

// Compares the service's records with the requests that receivers got.

type Delivery = {
	readonly endpoint_id: string;
	readonly event_id: string;
	readonly event: string;
	readonly status: string;
	readonly attempt_count: number;
	readonly next_attempt_at: string | null;
	readonly last_attempt_at: string | null;
	readonly created_at: string;
};
type CallRecord = { readonly id: string; readonly status: string; readonly created_at: string };

/** A receiver and the endpoint that was created for it. */
export type Customer = { readonly receiver: Receiver; readonly endpoint_id: string };

/** The maximum delay of an attempt: the sweep's grace and its period, on a loaded machine. */
const LATE_MS = 180_000;

/** If the service refuses one list as busy more often than this, that is a fault. */
const MOST_BUSY = 50;

type Listed<T> = { readonly all: readonly T[]; readonly busy: number };

/** Pages through a list of the API to its end. A 503 is counted, and the page asked for again. */
async function listAll<T>(stack: StackFacts, path: string): Promise<Listed<T>> {
	const all: T[] = [];
	const headers = { authorization: `Bearer ${stack.api_key}` };
	let [cursor, busy]: [string | null, number] = ['', 0];
	while (cursor !== null) {
		const { status, json, text }: ApiResponse = await call(stack.base_url, `${path}?limit=100${cursor}`, { headers });
		if (status === 503 && busy < MOST_BUSY) {
			busy += 1;
			continue;
		}
		if (status !== 200) throw new Error(`${path}: ${status} ${text} (after ${busy} answers of 503)`);
		all.push(...json.data);
		cursor = json.next_cursor === null ? null : `&cursor=${encodeURIComponent(json.next_cursor)}`;
	}
	return { all, busy };
}

const SINCE = new Date().toISOString();

export type Books = {
	readonly calls: readonly CallRecord[];
	readonly deliveries: readonly Delivery[];
	/** Answers of 503 while these were read. */
	readonly busy: number;
};

export async function readBooks(stack: StackFacts): Promise<Books> {
	const calls = await listAll<CallRecord>(stack, '/calls');
	const deliveries = await listAll<Delivery>(stack, '/webhook-deliveries');
	// The demo shop has a week of calls from before.
	const own = calls.all.filter(({ created_at }) => created_at >= SINCE);
	return { calls: own, deliveries: deliveries.all, busy: calls.busy + deliveries.busy };
}

const TERMINAL = ['completed', 'failed', 'canceled'];

/** Whether every call has ended and every delivery too, except those to receivers that misbehave. */
export function isSettled({ calls, deliveries }: Books, customers: readonly Customer[]): boolean {
	const of = new Map(customers.map(({ endpoint_id, receiver }) => [endpoint_id, receiver]));
	const open = deliveries.some((delivery) => {
		const receiver = of.get(delivery.endpoint_id);
		return receiver !== undefined && delivery.status === 'pending' && accepts(receiver, delivery);
	});
	return !open && calls.every(({ status }) => TERMINAL.includes(status));
}

const isHealthy = ({ receiver }: Customer): boolean => receiver.conduct === 'healthy';

/** Whether the receiver takes the event, at the first attempt or a later one. */
function accepts({ conduct }: Receiver, { event }: Delivery): boolean {
	if (conduct === 'one-kind') return event !== REFUSED_KIND;
	return conduct === 'healthy' || conduct === 'first-two-fail';
}

export type Verdict = {
	readonly calls: Readonly<Record<string, number>>;
	/** By status, at receivers that behave and at those that do not. */
	readonly healthy: Readonly<Record<string, number>>;
	readonly misbehaving: Readonly<Record<string, number>>;
	/** The longest time, in seconds, until an accepted event succeeded at a receiver that accepts only some events. */
	readonly partial_latest_s: number;
	/** How many events a healthy receiver got more than once, and the largest number of times it got one event. */
	readonly doubled: number;
	readonly most_often: number;
	/** Answers of 503 while the books were read. */
	readonly busy: number;
	/** Everything that must not be; empty when all is well. */
	readonly faults: readonly string[];
};

/** Every promise about deliveries, checked over everything that happened. */
export function audit(
	{ calls, deliveries, busy }: Books,
	customers: readonly Customer[],
	receivers: Receivers,
	expected: { readonly call_ids: readonly string[]; readonly exactly_once: boolean },
): Verdict {
	const of = new Map<string, Delivery[]>(customers.map(({ endpoint_id }) => [endpoint_id, []]));
	for (const delivery of deliveries) of.get(delivery.endpoint_id)?.push(delivery);
	const times = customers.filter(isHealthy).flatMap(({ receiver }) => [...receiver.arrived.values()]);
	const doubled = times.filter((count) => count > 1).length;
	const faults = [
		...customers.flatMap((customer) => faultsOf(customer, of.get(customer.endpoint_id) ?? [])),
		...callFaults(calls, deliveries, expected.call_ids),
		...overdue(deliveries, new Set(customers.filter(isHealthy).map(({ endpoint_id }) => endpoint_id))),
		...[...receivers.altered].map((id) => `event ${id} came with different bytes`),
		...(expected.exactly_once && doubled > 0 ? [`${doubled} events came more than once`] : []),
	];
	const [well, ill] = [customers.filter(isHealthy), customers.filter((each) => !isHealthy(each))];
	const statuses = (some: readonly Customer[]) =>
		counted(some.flatMap(({ endpoint_id }) => (of.get(endpoint_id) ?? []).map(({ status }) => status)));
	return {
		calls: counted(calls.map(({ status }) => status)),
		healthy: statuses(well),
		misbehaving: statuses(ill),
		partial_latest_s: latest(ill, of),
		busy,
		doubled,
		most_often: times.reduce((most, count) => Math.max(most, count), 0),
		faults,
	};
}

function latest(customers: readonly Customer[], of: ReadonlyMap<string, readonly Delivery[]>): number {
	const waits = customers.flatMap(({ endpoint_id, receiver }) =>
		(of.get(endpoint_id) ?? [])
			.filter((delivery) => accepts(receiver, delivery) && delivery.status === 'succeeded')
			.map(({ last_attempt_at, created_at }) => lateBy(last_attempt_at, created_at) / 1000),
	);
	return Math.max(0, ...waits);
}

function faultsOf({ receiver }: Customer, deliveries: readonly Delivery[]): readonly string[] {
	const { name, arrived, unverified } = receiver;
	const faults = unverified > 0 ? [`${name}: ${unverified} signatures do not verify`] : [];
	const listed = new Set(deliveries.map(({ event_id }) => event_id));
	if (listed.size < deliveries.length) faults.push(`${name}: an event has two deliveries`);
	const ghosts = [...arrived.keys()].filter((id) => !listed.has(id));
	if (ghosts.length > 0) faults.push(`${name}: ${ghosts.length} events came that are not listed`);
	const wellDone = deliveries.filter(({ status }) => status === 'succeeded');
	const lost = wellDone.filter(({ event_id }) => !arrived.has(event_id));
	if (lost.length > 0) faults.push(`${name}: ${lost.length} deliveries succeeded that never came`);
	const taken = deliveries.filter((delivery) => accepts(receiver, delivery));
	const undone = taken.filter(({ status }) => status !== 'succeeded').length;
	if (undone > 0) faults.push(`${name}: ${undone} deliveries did not succeed`);
	const odd = wellDone.filter((delivery) => !accepts(receiver, delivery)).length;
	if (odd > 0) faults.push(`${name}: ${odd} deliveries succeeded that were refused`);
	const starved = taken.filter(
		({ last_attempt_at, created_at }) => lateBy(last_attempt_at, created_at) > LATE_MS,
	).length;
	if (starved > 0) faults.push(`${name}: ${starved} deliveries came more than ${LATE_MS / 1000} s late`);
	return faults;
}

const lateBy = (last_attempt_at: string | null, created_at: string): number =>
	Date.parse(last_attempt_at ?? '') - Date.parse(created_at);

/** Each accepted call exists, has ended, and has sent its events to every subscriber. */
function callFaults(
	calls: readonly CallRecord[],
	deliveries: readonly Delivery[],
	accepted: readonly string[],
): readonly string[] {
	const faults: string[] = [];
	const known = new Map(calls.map((call) => [call.id, call.status]));
	const missing = accepted.filter((id) => !known.has(id));
	if (missing.length > 0) faults.push(`${missing.length} accepted calls are not there`);
	if (calls.length !== accepted.length) faults.push(`${calls.length} calls for ${accepted.length} accepted`);
	const open = calls.filter(({ status }) => !TERMINAL.includes(status));
	if (open.length > 0) faults.push(`${open.length} calls have not ended`);
	const subscribers = new Set(deliveries.map(({ endpoint_id }) => endpoint_id)).size;
	const countOf = (kinds: readonly string[]): number => deliveries.filter(({ event }) => kinds.includes(event)).length;
	const requested = countOf(['call.requested']);
	if (requested !== 0 && requested !== calls.length * subscribers) faults.push(`${requested} of call.requested`);
	const ends = countOf(['call.completed', 'call.failed']);
	if (ends !== calls.length * subscribers) faults.push(`${ends} of call.completed and call.failed`);
	return faults;
}

/** A first attempt waits for the open breaker of a receiver that misbehaves, without another time for it. */
function overdue(deliveries: readonly Delivery[], healthy: ReadonlySet<string>): readonly string[] {
	const before = new Date(Date.now() - LATE_MS).toISOString();
	const late = deliveries.filter(
		({ status, next_attempt_at, attempt_count, endpoint_id }) =>
			status === 'pending' &&
			(healthy.has(endpoint_id) || attempt_count > 0) &&
			(next_attempt_at === null || next_attempt_at < before),
	);
	return late.length === 0 ? [] : [`${late.length} deliveries are pending past their time`];
}

function counted(words: readonly string[]): Readonly<Record<string, number>> {
	const counts: Record<string, number> = {};
	for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
	return counts;
}
