import { type EventKind, eventKinds } from '../../../shared/domain/webhooks/event.ts';
import { type Chance, chance } from './chance.ts';
import type { Failure, Receiver, Span } from './faults.ts';
import { healthy, person, type Scenario } from './scenario.ts';

// Floods: many events, a receiver that fails, and a healthy neighbour. The world has no other faults, so the test can check the
// breaker's limits to the second. The customer deletes the failing endpoint after a while, because its retries would last for
// days.

const MINUTE_MS = 60_000;
const NEVER_MS = Number.POSITIVE_INFINITY;

/**
 * How the receiver fails. `refuses`: it responds to some event types with errors. `hangs`: it does not respond to some event
 * types, or is overloaded by them. `was down`: like `refuses`, and in some periods it accepts nothing. `is dead`: it never accepts
 * anything.
 */
const failings = ['refuses', 'hangs', 'was down', 'is dead'] as const;
type Failing = (typeof failings)[number];
/** The customer deletes the endpoint this long after the last event, or after the receiver is back if that is later. */
const KEPT_MS: Readonly<Record<Failing, number>> = {
	refuses: 5 * MINUTE_MS,
	hangs: 180 * MINUTE_MS,
	'was down': 20 * MINUTE_MS,
	'is dead': 10 * MINUTE_MS,
};
export const failingOf = (seed: number): Failing => failings[Math.floor(seed / 4) % failings.length] ?? 'refuses';

export function floodOf(seed: number): Scenario {
	const draw = chance(seed ^ 0xf100d);
	const failing = failingOf(seed);
	const events = bursts(draw);
	const receiver = failingReceiver(draw, failing);
	const backMs = failing === 'was down' ? Math.max(...receiver.down.map(({ to_ms }) => to_ms)) : 0;
	const lastMs = Math.max(...events.map(({ at_ms }) => at_ms));
	const retry = { act: 'retry', endpoint: 0, at_ms: draw.below('retry', 15 * MINUTE_MS) } as const;
	const deletion = { act: 'delete', endpoint: 0, at_ms: Math.max(backMs, lastMs) + KEPT_MS[failing] } as const;
	return {
		acts: draw.next('retries') < 0.3 ? [retry, deletion] : [deletion],
		visitor: person(draw),
		team: [person(draw)],
		others: [],
		strategy: 'simultaneous',
		order: 'agent_first',
		receivers: [receiver, healthy(20)],
		endpoints: 2,
		events,
	};
}

/** Single events and bursts of events, all within ten minutes. */
function bursts(draw: Chance) {
	const groups = 1 + draw.below('groups', 3);
	return Array.from({ length: groups }, () => {
		const fromMs = draw.below('at', 10 * MINUTE_MS);
		const kind = draw.pick('kind', ...eventKinds);
		const count = draw.next('burst') < 0.5 ? 1 : 5 + draw.below('count', 10);
		return Array.from({ length: count }, (_, n) => ({ at_ms: fromMs + n * 20, kind }));
	}).flat();
}

function failingReceiver(draw: Chance, failing: Failing): Receiver {
	const refused = eventKinds.filter(() => draw.next('refuses') < 0.5);
	const refuses: readonly EventKind[] = failing === 'is dead' ? [] : refused;
	const refusal = failing === 'hangs' ? overload(draw) : answer(draw);
	const takes_ms = draw.pick('takes', 10, 300, 4000);
	return {
		takes_ms,
		refuses,
		refusal,
		down: spans(draw, failing),
		while_down: draw.next('how') < 0.5 ? overload(draw) : answer(draw),
	};
}

function spans(draw: Chance, failing: Failing): readonly Span[] {
	if (failing === 'is dead') return [{ from_ms: 0, to_ms: NEVER_MS }];
	if (failing !== 'was down') return [];
	return Array.from({ length: 1 + draw.below('times', 3) }, () => {
		const from_ms = draw.below('down from', 10 * MINUTE_MS);
		return { from_ms, to_ms: from_ms + 1000 + draw.below('down for', 50 * MINUTE_MS) };
	});
}

const fails = (status: number | null, takes_ms: number): Failure => ({ status, retry_after: null, takes_ms });
/** An error response from a receiver that is reachable. */
const answer = (draw: Chance): Failure =>
	draw.pick('answer', fails(500, 40), fails(400, 20), fails(301, 20), fails(403, 20));
/** A receiver that is unreachable or overloaded. */
const overload = (draw: Chance): Failure =>
	draw.pick('overload', fails(null, 15_000), fails(null, 20), fails(503, 20), fails(429, 20), fails(504, 9000));
