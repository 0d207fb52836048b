import type { OpsDeps } from '../ops/connect.ts';
import type { CallStatus, FailureReason } from '../shared/domain/calls/call.ts';
import type { CallRecord } from '../shared/domain/calls/call-record.ts';
import { newLeg } from '../shared/domain/calls/leg.ts';
import { callTally, leadTally } from '../shared/domain/calls/tally.ts';
import { maskPhone } from '../shared/domain/kernel/phone-number.ts';
import type { CallbackLead } from '../shared/domain/leads/callback-lead.ts';
import type { Write } from '../shared/ports/store.ts';

// The demo shop's last week: calls and callbacks that have ended, without events, so that no webhook is sent.

const HOUR_MS = 3_600_000;
const DAYS = 7;

type Past = {
	/** Hours of the day, UTC, at which such a call came on each day. */
	readonly hours: readonly number[];
	readonly name: string;
	readonly page: string;
	readonly status: Extract<CallStatus, 'completed' | 'failed' | 'canceled'>;
	readonly reason: FailureReason | null;
	readonly talked_seconds: number;
	/** Seconds until a member took the call; null: no member did. */
	readonly waited_seconds: number | null;
};

const calls: readonly Past[] = [
	{
		hours: [9, 14],
		name: 'Ada',
		page: '/pricing',
		status: 'completed',
		reason: null,
		talked_seconds: 184,
		waited_seconds: 9,
	},
	{ hours: [11], name: 'Grace', page: '/', status: 'completed', reason: null, talked_seconds: 62, waited_seconds: 14 },
	{
		hours: [16],
		name: 'Alan',
		page: '/contact',
		status: 'failed',
		reason: 'no_agent_answer',
		talked_seconds: 0,
		waited_seconds: null,
	},
	{
		hours: [10],
		name: 'Edsger',
		page: '/pricing',
		status: 'failed',
		reason: 'visitor_busy',
		talked_seconds: 0,
		waited_seconds: 11,
	},
	{
		hours: [17],
		name: 'Barbara',
		page: '/',
		status: 'canceled',
		reason: 'canceled',
		talked_seconds: 0,
		waited_seconds: null,
	},
];
const leads: readonly Pick<CallbackLead, 'name' | 'note' | 'status'>[] = [
	{ name: 'Katherine', note: 'after 18:00', status: 'handled' },
	{ name: 'Margaret', note: null, status: 'dismissed' },
];

/** Writes the week before now. */
export async function writeWeek(workspace_id: string, origin: string, deps: OpsDeps): Promise<void> {
	const today_ms = Math.floor(deps.clock.now() / (24 * HOUR_MS)) * 24 * HOUR_MS;
	const writes: (readonly Write[])[] = [];
	for (let day = 1; day <= DAYS; day += 1) {
		const day_ms = today_ms - day * 24 * HOUR_MS;
		// Not every kind of call comes every day.
		for (const [kind, past] of calls.entries()) {
			if ((day + kind) % 3 === 0) continue;
			for (const hour of past.hours) {
				const at_ms = day_ms + hour * HOUR_MS + ((day * 17 + kind * 11) % 60) * 60_000;
				const item = pastCall(past, { workspace_id, origin, id: deps.ids.next(at_ms), at_ms });
				writes.push([{ op: 'put', record: 'call', item, guard: { if: 'absent' } }, callTally(item)]);
			}
		}
		const lead = leads[day % 4];
		if (lead === undefined) continue;
		const created_at = new Date(day_ms + 19 * HOUR_MS).toISOString();
		const of = { workspace_id, source_url: `${origin}/pricing`, visitor_phone_masked: maskPhone('+12025550120') };
		const item = {
			...lead,
			...of,
			reference: null,
			id: deps.ids.next(Date.parse(created_at)),
			version: 1,
			created_at,
			updated_at: created_at,
		};
		writes.push([{ op: 'put', record: 'callback_lead', item, guard: { if: 'absent' } }, ...leadTally(item, null)]);
	}
	await Promise.all(writes.map((write) => deps.store.commit(write)));
}

type Place = { readonly workspace_id: string; readonly origin: string; readonly id: string; readonly at_ms: number };

function pastCall(past: Past, { workspace_id, origin, id, at_ms }: Place): CallRecord {
	const iso = (seconds: number): string => new Date(at_ms + seconds * 1000).toISOString();
	const taken_after_seconds = past.waited_seconds;
	const connected_at =
		past.status === 'completed' && taken_after_seconds !== null ? iso(taken_after_seconds + 8) : null;
	const ended_at = iso((taken_after_seconds ?? 45) + 8 + past.talked_seconds);
	const leg = {
		...newLeg(id, 'agent', 'm1', at_ms),
		member_name: 'Ida Wells',
		rank: 'ended' as const,
		answered_at: taken_after_seconds === null ? null : iso(taken_after_seconds - 2),
		accepted_at: taken_after_seconds === null ? null : iso(taken_after_seconds),
		ended_at,
		cause: taken_after_seconds === null ? ('no_answer' as const) : ('hung_up' as const),
	};
	return {
		id,
		workspace_id,
		version: 1,
		status: past.status,
		visitor_phone_masked: maskPhone('+12025550101'),
		source_url: `${origin}${past.page}`,
		connected_at,
		completed_at: ended_at,
		duration_seconds: past.talked_seconds,
		created_at: iso(0),
		failure_reason: past.reason,
		language: 'en',
		visitor_name: past.name,
		plan: { strategy: 'simultaneous', order: 'agent_first', members: ['m1', 'm2'] },
		legs: [leg],
		winner_leg_id: taken_after_seconds === null ? null : leg.id,
		event_count: 0,
		timer_at: null,
		due_at: null,
	};
}
