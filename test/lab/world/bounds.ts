import type { Delivery } from '../../../shared/domain/webhooks/delivery.ts';
import { RETRY_SCHEDULE_SECONDS } from '../../../shared/domain/webhooks/retry-schedule.ts';
import type { Retry } from './actors.ts';
import { failingOf } from './floods.ts';
import { type Post, START_MS, type Stage } from './stage.ts';

// Checks the limits of the circuit breaker in floods: how many attempts go to a dead receiver, when its waiting deliveries are
// attempted after it is back, what a partly failing receiver gets, and that its neighbour is not affected.

const MINUTE_MS = 60_000;
const MOST_A_MINUTE = 5;
const ACCEPTED_MS = 2 * MINUTE_MS;
const BACK_MS = 15 * MINUTE_MS;
/** Attempts by schedule go on for this long. The schedule takes days, but the test deletes the endpoint after three hours. */
const SCHEDULE_MS = 179 * MINUTE_MS;
const AT_ONCE_MS = 100;
/** Results that count as unreachable or overloaded. Null stands for no response. */
const UNREACHABLE: readonly (number | null)[] = [null, 429, 502, 503, 504];
const FAILURES = 5;
const MOST_JITTER = 1.2;

/** When an attempt was due, and when it was made. */
type Due = { readonly due_ms: number; readonly at_ms: number };

/** The state of a receiver's breaker after a write of its endpoint. */
export type BreakerState = {
	readonly host: string;
	readonly at_ms: number;
	readonly is_open: boolean;
	readonly failures: number;
};
type Watched = {
	readonly breakers: readonly BreakerState[];
	readonly retries: readonly Retry[];
	/** When the failing endpoint was deleted. From then on, its deliveries are not checked. */
	readonly deleted_ms: number;
};

export function checkBounds(stage: Stage, deliveries: readonly Delivery[], watched: Watched): void {
	const [failing, neighbour] = [...stage.receivers];
	if (failing === undefined || neighbour === undefined) return;
	const { retries, deleted_ms } = watched;
	const posts = Map.groupBy(stage.posts, ({ delivery_id }) => delivery_id);
	const [host, { refuses, down }] = failing;
	const breakers = watched.breakers.filter((breaker) => breaker.host === host);
	const ended = stage.posts.filter((post) => post.host === host && (post.ended_ms ?? deleted_ms) < deleted_ms);
	checkDead(stage, ended, retries);
	checkOpening(stage, ended, breakers);
	checkClosing(stage, ended, breakers);
	for (const retry of retries)
		if (!stage.posts.some((post) => isAtOnce(post, retry)))
			stage.broken("a person's retry is one POST at once", retry.delivery_id);
	const backMs = Math.max(0, ...down.map(({ to_ms }) => to_ms));
	for (const delivery of deliveries) {
		if (retries.some(({ delivery_id }) => delivery_id === delivery.id)) continue;
		const made = posts.get(delivery.id) ?? [];
		const isNeighbours = made[0]?.host === neighbour[0];
		const limitMs = isNeighbours ? AT_ONCE_MS : limitOf(stage.seed, refuses.includes(delivery.event));
		if (limitMs === null) continue;
		for (const { due_ms, at_ms } of attemptsOf(delivery, made)) {
			const fromMs = isNeighbours ? due_ms : Math.max(due_ms, backMs);
			const late = at_ms > fromMs + limitMs && fromMs + limitMs < deleted_ms;
			if (late) stage.broken(isNeighbours ? NEIGHBOUR : LATE[failingOf(stage.seed)], describe(delivery, fromMs, at_ms));
		}
	}
}

/** Checks that a delivery which starts or continues to wait for an open breaker waits for at least a minute. */
export function lookAtWait(stage: Stage, after: Delivery, before: Delivery | null): void {
	const waits = after.waiting_since !== undefined && after.next_attempt_at !== before?.next_attempt_at;
	if (stage.kind !== 'flood' || !waits) return;
	const waitMs = Date.parse(after.next_attempt_at ?? '') - stage.time.now();
	if (waitMs < MINUTE_MS) stage.broken('a delivery waits at least a minute for an open breaker', `${waitMs} ms`);
}

const isAtOnce = (post: Post, { delivery_id, at_ms }: Retry): boolean =>
	post.delivery_id === delivery_id && post.at_ms >= at_ms && post.at_ms <= at_ms + AT_ONCE_MS;

const NEIGHBOUR = 'a healthy neighbour is served at once';
const LATE = {
	refuses: 'a partial receiver gets what it accepts within 2 minutes',
	hangs: 'if one event type times out, the others arrive within their schedule',
	'was down': 'after an outage everything due is attempted within 15 minutes',
	'is dead': 'a dead endpoint gets at most 5 POSTs a minute',
} as const;

const describe = ({ id, event }: Delivery, dueMs: number, atMs: number): string =>
	`${event} ${id}, due at ${(dueMs - START_MS) / 1000} s, attempted ${(atMs - dueMs) / 1000} s later`;

/** How late an attempt at the failing receiver may be. Null if there is no limit. */
function limitOf(seed: number, isRefused: boolean): number | null {
	switch (failingOf(seed)) {
		case 'refuses':
			return ACCEPTED_MS;
		case 'hangs':
			return isRefused ? null : SCHEDULE_MS;
		case 'was down':
			return BACK_MS;
		case 'is dead':
			return null;
	}
}

/** The attempts that the delivery's schedule required. The last of them may still be outstanding. */
function attemptsOf({ created_at }: Delivery, posts: readonly Post[]): readonly Due[] {
	const dues: Due[] = [];
	let due_ms = Date.parse(created_at);
	for (const [position, { at_ms, ended_ms, status }] of posts.entries()) {
		dues.push({ due_ms, at_ms });
		const waitSeconds = RETRY_SCHEDULE_SECONDS[position + 1];
		if (status === 200 || waitSeconds === undefined) return dues;
		due_ms = (ended_ms ?? at_ms) + waitSeconds * MOST_JITTER * 1000;
	}
	return [...dues, { due_ms, at_ms: Number.POSITIVE_INFINITY }];
}

/**
 * Checks that a dead receiver gets at most 5 POSTs a minute, apart from retries that a person requested. A receiver is dead from
 * the fifth failure in a row to its next response. Only POSTs that began after its previous response count as failures.
 */
function checkDead(stage: Stage, posts: readonly Post[], retries: readonly Retry[]): void {
	const ended = [...posts].sort((a, b) => (a.ended_ms ?? 0) - (b.ended_ms ?? 0));
	let failures = 0;
	let deadMs = Number.POSITIVE_INFINITY;
	let backMs = 0;
	let whileDead: number[] = [];
	for (const post of ended) {
		const { at_ms, status, ended_ms } = post;
		if (!UNREACHABLE.includes(status)) {
			[failures, deadMs, backMs, whileDead] = [0, Number.POSITIVE_INFINITY, ended_ms ?? 0, []];
			continue;
		}
		if (at_ms >= backMs) failures += 1;
		if (failures < FAILURES) continue;
		deadMs = Math.min(deadMs, ended_ms ?? 0);
		if (at_ms <= deadMs || retries.some((retry) => isAtOnce(post, retry))) continue;
		whileDead.push(at_ms);
		const inAMinute = whileDead.filter((other) => other > at_ms - MINUTE_MS).length;
		if (inAMinute > MOST_A_MINUTE) stage.broken(LATE['is dead'], `${inAMinute} until ${(at_ms - START_MS) / 1000} s`);
	}
}

/**
 * Checks that the breaker opens at the fifth failure and not earlier. Failures are counted from the last error response or the
 * last stored success.
 */
function checkOpening(stage: Stage, posts: readonly Post[], breakers: readonly BreakerState[]): void {
	for (const [n, { at_ms, is_open }] of breakers.entries()) {
		const earlier = breakers.slice(0, n);
		if (!is_open || earlier.at(-1)?.is_open) continue;
		const until = posts.filter(({ ended_ms }) => ended_ms !== null && ended_ms <= at_ms);
		const refused = until.filter(({ status }) => status !== 200 && !UNREACHABLE.includes(status));
		const sinceMs = Math.max(
			earlier.findLast(({ failures }) => failures === 0)?.at_ms ?? 0,
			...refused.map(({ ended_ms }) => ended_ms ?? 0),
		);
		const failures = until.filter(({ status, ended_ms }) => UNREACHABLE.includes(status) && (ended_ms ?? 0) >= sinceMs);
		if (failures.length < FAILURES)
			stage.broken(
				'the breaker opens at the fifth failure in a row',
				`${failures.length} at ${(at_ms - START_MS) / 1000} s`,
			);
	}
}

/** Checks that a response closes the breaker if it was open when the POST began. Any response closes it, not only a success. */
function checkClosing(stage: Stage, posts: readonly Post[], breakers: readonly BreakerState[]): void {
	for (const { status, at_ms: began_ms, ended_ms } of posts) {
		if (ended_ms === null || UNREACHABLE.includes(status)) continue;
		if (breakers.findLast(({ at_ms }) => at_ms < began_ms)?.is_open !== true) continue;
		const rule = status === 200 ? 'the first success closes the breaker' : 'any other answer closes the breaker';
		if (!breakers.some(({ at_ms, is_open }) => at_ms >= began_ms && at_ms <= ended_ms && !is_open))
			stage.broken(rule, `an answer at ${(ended_ms - START_MS) / 1000} s`);
	}
}
