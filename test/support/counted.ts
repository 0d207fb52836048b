import type { CallRecord } from '../../shared/domain/calls/call-record.ts';
import { sourceOf } from '../../shared/domain/calls/source.ts';
import type { SourceKind } from '../../shared/domain/calls/source-names.ts';
import type { SourceNumbers } from '../../shared/domain/calls/source-numbers.ts';
import { type MemberNumbers, type ShopNumbers, waitOf } from '../../shared/domain/calls/tally.ts';
import type { CallbackLead } from '../../shared/domain/leads/callback-lead.ts';

/**
 * The figures of the desk, without the estimated waiting time, counted from the records one by one. The stored tallies must equal
 * these figures.
 */
export function counted(
	calls: readonly CallRecord[],
	leads: readonly CallbackLead[],
	hourOf: (at: string) => number,
): Omit<ShopNumbers, 'median_wait_seconds'> {
	const ended = calls.filter(({ status }) => ['completed', 'failed', 'canceled'].includes(status));
	const hours = ended.map(({ created_at }) => hourOf(created_at));
	return {
		calls: ended.length,
		answered: ended.filter(({ status }) => status === 'completed').length,
		missed: ended.filter(({ failure_reason }) => failure_reason === 'no_agent_answer').length,
		leads: leads.length,
		handled: leads.filter(({ status }) => status === 'handled').length,
		by_hour: Array.from({ length: 24 }, (_, hour) => hours.filter((each) => each === hour).length),
	};
}

/**
 * The figures of each team member by id, counted from the calls. `rung`: how often the member's phone was dialled, without dials
 * that the provider throttled.
 */
export function countedMembers(calls: readonly CallRecord[]): Record<string, MemberNumbers> {
	const numbers: Record<string, MemberNumbers> = {};
	const add = (member: string, { rung = 0, took = 0 }: Partial<MemberNumbers>): void => {
		const sum = numbers[member] ?? { rung: 0, took: 0 };
		numbers[member] = { rung: sum.rung + rung, took: sum.took + took };
	};
	for (const { legs, winner_leg_id } of calls) {
		for (const { id, member, dialed_at, throttled_until } of legs) {
			if (member === null) continue;
			if (dialed_at !== null && throttled_until === null) add(member, { rung: 1 });
			if (id === winner_leg_id) add(member, { took: 1 });
		}
	}
	return numbers;
}

/**
 * The median of the calls' waiting times in seconds (the lower of the two middle ones if their number is even). Null if no member
 * took a call.
 */
export function medianWait(calls: readonly CallRecord[]): number | null {
	const waits = calls.flatMap((call) => waitOf(call) ?? []).sort((a, b) => a - b);
	return waits[Math.floor((waits.length - 1) / 2)] ?? null;
}

/** The figures of each page or campaign by name, counted from the records. */
export function countedSources(
	kind: SourceKind,
	calls: readonly CallRecord[],
	leads: readonly CallbackLead[],
): Record<string, SourceNumbers> {
	const sums: Record<string, SourceNumbers> = {};
	const add = (sourceUrl: string, more: Partial<SourceNumbers>): void => {
		const { [kind]: name } = sourceOf(sourceUrl);
		if (name === null) return;
		const { requests, conversations, missed, callbacks } = sums[name] ?? NOTHING;
		sums[name] = {
			name,
			requests: requests + (more.requests ?? 0),
			conversations: conversations + (more.conversations ?? 0),
			missed: missed + (more.missed ?? 0),
			callbacks: callbacks + (more.callbacks ?? 0),
		};
	};
	for (const { status, failure_reason, source_url } of calls) {
		if (!['completed', 'failed', 'canceled'].includes(status)) continue;
		const conversations = Number(status === 'completed');
		add(source_url, { requests: 1, conversations, missed: Number(failure_reason === 'no_agent_answer') });
	}
	for (const { source_url } of leads) add(source_url, { callbacks: 1 });
	return sums;
}
const NOTHING = { requests: 0, conversations: 0, missed: 0, callbacks: 0 };
