import * as z from 'zod/mini';
import type { OpsDeps } from '../ops/connect.ts';
import { failureReasons } from '../shared/domain/calls/call.ts';
import type { CallRecord } from '../shared/domain/calls/call-record.ts';
import { newLeg } from '../shared/domain/calls/leg.ts';
import { callTally, leadTally } from '../shared/domain/calls/tally.ts';
import { maskPhone } from '../shared/domain/kernel/phone-mask.ts';
import { leadStatuses } from '../shared/domain/leads/callback-lead.ts';
import { sourceCodes } from '../shared/use-cases/calls/source-codes.ts';
import samples from './demo-week.json' with { type: 'json' };

const DAY_MS = 24 * 3_600_000;
/** `when`: days ago and the time (UTC) of each, such as `1 09:17`. */
const past = { when: z.array(z.string()), name: z.string() };
const Call = z.object({
	...past,
	page: z.string(),
	status: z.enum(['completed', 'failed', 'canceled']),
	failure_reason: z.nullable(z.enum(failureReasons)),
	/** Seconds until a member took the call; null: no member did. */
	waited_seconds: z.nullable(z.number()),
	talked_seconds: z.number(),
});
const Lead = z.object({ ...past, note: z.nullable(z.string()), status: z.enum(leadStatuses) });
const Week = z.object({ calls: z.array(Call), leads: z.array(Lead) });

type DemoStack = {
	readonly workspace_id: string;
	readonly source_url: string;
	readonly id: string;
	readonly at_ms: number;
};

/** Writes the sample calls and callbacks of the week before now. They have ended without events, so no webhook is sent. */
export async function writeWeek(workspace_id: string, origin: string, { clock, ids, store }: OpsDeps): Promise<void> {
	const todayMs = Math.floor(clock.now() / DAY_MS) * DAY_MS;
	const stacks = ({ when, page }: { when: readonly string[]; page: string }): readonly DemoStack[] =>
		when.map((text) => {
			const [days_ago, time] = text.split(' ');
			const at_ms = todayMs - Number(days_ago) * DAY_MS + Date.parse(`1970-01-01T${time}Z`);
			return { workspace_id, source_url: `${origin}${page}`, id: ids.next(at_ms), at_ms };
		});
	const { calls, leads } = Week.parse(samples);
	const callWrites = calls.flatMap((call) =>
		stacks(call).map(async (stack) => {
			const item = callOf(call, stack);
			const tally = callTally(item, await sourceCodes(item, store));
			return [{ op: 'put', record: 'call', item, guard: { if: 'absent' } }, tally] as const;
		}),
	);
	const leadWrites = leads.flatMap((lead) =>
		stacks({ ...lead, page: '/pricing' }).map(async (stack) => {
			const item = leadOf(lead, stack);
			const tally = leadTally(item, null, await sourceCodes(item, store));
			return [{ op: 'put', record: 'callback_lead', item, guard: { if: 'absent' } }, ...tally] as const;
		}),
	);
	await Promise.all([...callWrites, ...leadWrites].map(async (writes) => store.commit(await writes)));
}

function leadOf({ name, note, status }: z.infer<typeof Lead>, { at_ms, ...stack }: DemoStack) {
	const created_at = new Date(at_ms).toISOString();
	const visitor_phone_masked = maskPhone('+12025550120');
	return {
		...stack,
		name,
		note,
		status,
		visitor_phone_masked,
		reference: null,
		version: 1,
		created_at,
		updated_at: created_at,
	};
}

function callOf(call: z.infer<typeof Call>, { at_ms, ...stack }: DemoStack): CallRecord {
	const { status, failure_reason, waited_seconds, talked_seconds } = call;
	const iso = (seconds: number): string => new Date(at_ms + seconds * 1000).toISOString();
	const ended_at = iso((waited_seconds ?? 45) + 8 + talked_seconds);
	const basis = {
		...newLeg(stack.id, 'agent', 'm1', at_ms),
		member_name: 'Ida Wells',
		rank: 'ended' as const,
		ended_at,
	};
	const leg =
		waited_seconds === null
			? { ...basis, cause: 'no_answer' as const }
			: {
					...basis,
					answered_at: iso(waited_seconds - 2),
					accepted_at: iso(waited_seconds),
					cause: 'hung_up' as const,
				};
	return {
		...stack,
		version: 1,
		status,
		failure_reason,
		visitor_phone_masked: maskPhone('+12025550101'),
		connected_at: status === 'completed' && waited_seconds !== null ? iso(waited_seconds + 8) : null,
		completed_at: ended_at,
		duration_seconds: talked_seconds,
		created_at: iso(0),
		language: 'en',
		visitor_name: call.name,
		plan: { strategy: 'simultaneous', order: 'agent_first', members: ['m1', 'm2'] },
		legs: [leg],
		winner_leg_id: waited_seconds === null ? null : leg.id,
		event_count: 0,
		timer_at: null,
		due_at: null,
	};
}
