import { type Call, isTerminal } from './call.ts';
import type { CallInput } from './call-input.ts';
import { type Decision, decide, type NewCall, newCall } from './call-machine.ts';
import { DEADLINE_SECONDS, deadlinesOf, isTalking, lengthOf, type Now } from './deadlines.ts';
import { isLive } from './leg.ts';

/** A call as it is stored, with what its writers, its timers and the sweep need. */
export type CallRecord = Call & {
	/** Every change is written only if the stored version is still the version that was read. */
	readonly version: number;
	readonly event_count: number;
	/**
	 * When the timer message that is under way arrives. That may be before the next deadline. Null if the call has no
	 * deadline left.
	 */
	readonly timer_at: string | null;
	/** When the sweep should check the call. Null once the call has ended and no leg is live. */
	readonly due_at: string | null;
};

/** A decision with the record to write. If nothing changes, `call` is the same object as before. */
export type CallChange = Decision & {
	readonly call: CallRecord;
	/** The deadline for which to send a timer. Null if a timer is already under way, or if no timer is needed. */
	readonly timer_at_ms: number | null;
};

/**
 * The sweep checks a call only in case a timer is lost. So this check may come this much later than the last deadline of
 * the call.
 */
const SWEEP_MARGIN_SECONDS = 60;

export function newCallRecord(request: NewCall, moment: Now): CallChange {
	const decision = newCall(request, moment);
	const draft = { ...decision.call, version: 0, event_count: 0, timer_at: null, due_at: null };
	return recordAfter(draft, decision, false, moment);
}

export function nextCallRecord(before: CallRecord, input: CallInput, moment: Now): CallChange {
	return recordAfter(before, decide(before, input, moment), input.input === 'time', moment);
}

/** The record after a decision, with its number of events, its timer, and the time of the sweep's next check. */
function recordAfter(before: CallRecord, decision: Decision, timePassed: boolean, moment: Now): CallChange {
	const after = { ...before, ...decision.call };
	const nextMs = deadlinesOf(after, moment.speed)[0]?.at_ms ?? null;
	const record = {
		...after,
		event_count: before.event_count + decision.events.length,
		timer_at: timerAt(before, nextMs, moment),
		due_at: sweepAt(after, timePassed ? nextMs : null, moment),
	};
	return {
		...decision,
		call: same(before, record) ? before : { ...record, version: before.version + 1 },
		timer_at_ms: record.timer_at === before.timer_at ? null : nextMs,
	};
}

/**
 * When the timer message that is under way arrives. If it arrives before the next deadline, no other timer is needed,
 * because the next timer is sent on its arrival (see `checkDeadlines`). If its time has passed, the message no longer
 * counts.
 */
function timerAt({ timer_at }: CallRecord, nextMs: number | null, { now_ms }: Now): string | null {
	if (nextMs === null) return null;
	const underWayMs = timer_at === null ? 0 : Date.parse(timer_at);
	const stays = underWayMs > now_ms && underWayMs <= nextMs;
	return stays ? timer_at : new Date(nextMs).toISOString();
}

export function isDue(call: CallRecord, { now_ms, speed }: Now): boolean {
	if (call.due_at !== null && Date.parse(call.due_at) <= now_ms) return true;
	return deadlinesOf(call, speed).some(({ at_ms }) => at_ms <= now_ms);
}

/**
 * When the sweep should check the call if every timer is lost. Null once the call has ended and no leg is live. Each change
 * of this time costs two index writes, so the time is changed only when needed. `nextMs` is the next deadline if the input
 * was `time`, and null for every other input. If the sweep's check would come before the next deadline, the check is
 * postponed.
 */
function sweepAt(call: CallRecord, nextMs: number | null, { now_ms, speed }: Now): string | null {
	const over = isTerminal(call.status);
	if (over && !call.legs.some(isLive)) return null;
	const moves = call.due_at === null || (nextMs !== null && Date.parse(call.due_at) <= Math.max(nextMs, now_ms));
	if (!moves) return call.due_at;
	const at = (sinceMs: number, seconds: number): number => sinceMs + lengthOf(seconds, speed);
	const D = DEADLINE_SECONDS;
	const laterMs = at(now_ms, !over && isTalking(call) ? D.sweep_talking : D.sweep);
	const limitMs =
		call.connected_at === null
			? at(Date.parse(call.created_at), D.set_up)
			: at(Date.parse(call.connected_at), D.conversation);
	const lastMs = limitMs + SWEEP_MARGIN_SECONDS * 1000;
	return new Date(over ? laterMs : Math.min(laterMs, lastMs)).toISOString();
}

function same(a: CallRecord, b: CallRecord): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}
