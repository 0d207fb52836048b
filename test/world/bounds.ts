import type { Delivery } from '../../shared/domain/webhooks/delivery.ts';
import { RETRY_SCHEDULE_SECONDS } from '../../shared/domain/webhooks/retry-schedule.ts';
import { failingOf } from './floods.ts';
import { type Post, START_MS, type Stage } from './stage.ts';

// The breaker's bounds, in floods: what a dead receiver costs, when its backlog is attempted after it is back, what a receiver
// gets that fails in part, and that its neighbour notices nothing.

const MINUTE_MS = 60_000;
const MOST_A_MINUTE = 5;
const ACCEPTED_MS = 2 * MINUTE_MS;
const BACK_MS = 15 * MINUTE_MS;
/** The schedule takes days; the endpoint is kept for three hours. */
const SCHEDULE_MS = 179 * MINUTE_MS;
const AT_ONCE_MS = 100;
/** Unreachable or overloaded; null: no answer. */
const UNREACHABLE: readonly (number | null)[] = [null, 429, 502, 503, 504];
const FAILURES = 5;
const MOST_JITTER = 1.2;

/** When an attempt was due, and when it was made. */
type Due = { readonly due_ms: number; readonly at_ms: number };

/** The breaker of a receiver after a write of its endpoint. */
export type BreakerState = { readonly host: string; readonly at_ms: number; readonly is_open: boolean };

/** `deleted_ms`: when the failing endpoint was deleted; nothing is expected of its deliveries from then on. */
export function checkBounds(
	stage: Stage,
	deliveries: readonly Delivery[],
	breakers: readonly BreakerState[],
	deleted_ms: number,
): void {
	const [failing, neighbour] = [...stage.receivers];
	if (failing === undefined || neighbour === undefined) return;
	const posts = Map.groupBy(stage.posts, ({ delivery_id }) => delivery_id);
	const [host, { refuses, down }] = failing;
	checkDead(
		stage,
		stage.posts.filter((post) => post.host === host),
	);
	checkClosing(
		stage,
		breakers.filter((breaker) => breaker.host === host),
		deleted_ms,
	);
	const back_ms = Math.max(0, ...down.map(({ to_ms }) => to_ms));
	for (const delivery of deliveries) {
		const made = posts.get(delivery.id) ?? [];
		const isNeighbours = made[0]?.host === neighbour[0];
		const limit_ms = isNeighbours ? AT_ONCE_MS : limitOf(stage.seed, refuses.includes(delivery.event));
		if (limit_ms === null) continue;
		for (const { due_ms, at_ms } of attemptsOf(delivery, made)) {
			const from_ms = isNeighbours ? due_ms : Math.max(due_ms, back_ms);
			const late = at_ms > from_ms + limit_ms && from_ms + limit_ms < deleted_ms;
			if (late)
				stage.broken(isNeighbours ? NEIGHBOUR : LATE[failingOf(stage.seed)], describe(delivery, from_ms, at_ms));
		}
	}
}

const NEIGHBOUR = 'a healthy neighbour is served at once';
const LATE = {
	refuses: 'a partial receiver gets what it accepts within 2 minutes',
	hangs: 'a type that times out lets the others arrive within their schedule',
	'was down': 'after an outage everything due is attempted within 15 minutes',
	'is dead': 'a dead endpoint gets at most 5 POSTs a minute',
} as const;

const describe = ({ id, event }: Delivery, due_ms: number, at_ms: number): string =>
	`${event} ${id}, due at ${(due_ms - START_MS) / 1000} s, attempted ${(at_ms - due_ms) / 1000} s later`;

/** How late an attempt at the failing receiver may be; null: nothing is promised. */
function limitOf(seed: number, is_refused: boolean): number | null {
	switch (failingOf(seed)) {
		case 'refuses':
			return ACCEPTED_MS;
		case 'hangs':
			return is_refused ? null : SCHEDULE_MS;
		case 'was down':
			return BACK_MS;
		case 'is dead':
			return null;
	}
}

/** Each attempt of a delivery that its schedule asked for, the last of which may not have been made. */
function attemptsOf({ created_at }: Delivery, posts: readonly Post[]): readonly Due[] {
	const dues: Due[] = [];
	let due_ms = Date.parse(created_at);
	for (const [position, { at_ms, ended_ms, status }] of posts.entries()) {
		dues.push({ due_ms, at_ms });
		const wait_s = RETRY_SCHEDULE_SECONDS[position + 1];
		if (status === 200 || wait_s === undefined) return dues;
		due_ms = (ended_ms ?? at_ms) + wait_s * MOST_JITTER * 1000;
	}
	return [...dues, { due_ms, at_ms: Number.POSITIVE_INFINITY }];
}

/** From the fifth failure in a row of POSTs that began after the last answer, until the next answer. */
function checkDead(stage: Stage, posts: readonly Post[]): void {
	const ended = posts.filter(({ ended_ms }) => ended_ms !== null).sort((a, b) => (a.ended_ms ?? 0) - (b.ended_ms ?? 0));
	let [failures, dead_ms, back_ms] = [0, Number.POSITIVE_INFINITY, 0];
	let while_dead: number[] = [];
	for (const { at_ms, status, ended_ms } of ended) {
		if (!UNREACHABLE.includes(status)) {
			[failures, dead_ms, back_ms, while_dead] = [0, Number.POSITIVE_INFINITY, ended_ms ?? 0, []];
			continue;
		}
		if (at_ms >= back_ms) failures += 1;
		if (failures < FAILURES) continue;
		dead_ms = Math.min(dead_ms, ended_ms ?? 0);
		if (at_ms <= dead_ms) continue;
		while_dead.push(at_ms);
		const in_a_minute = while_dead.filter((other) => other > at_ms - MINUTE_MS).length;
		if (in_a_minute > MOST_A_MINUTE)
			stage.broken(LATE['is dead'], `${in_a_minute} until ${(at_ms - START_MS) / 1000} s`);
	}
}

/** A success closes the breaker that was open when its POST began. */
function checkClosing(stage: Stage, breakers: readonly BreakerState[], deleted_ms: number): void {
	for (const { host, status, at_ms: began_ms, ended_ms } of stage.posts) {
		if (status !== 200 || ended_ms === null || ended_ms >= deleted_ms || host !== breakers[0]?.host) continue;
		if (breakers.findLast(({ at_ms }) => at_ms < began_ms)?.is_open !== true) continue;
		if (!breakers.some(({ at_ms, is_open }) => at_ms >= began_ms && at_ms <= ended_ms && !is_open))
			stage.broken('the first success closes the breaker', `a success at ${(ended_ms - START_MS) / 1000} s`);
	}
}
