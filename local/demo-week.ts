import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { OpsDeps } from '../ops/connect.ts';
import { failureReasons } from '../shared/domain/calls/call.ts';
import type { CallRecord } from '../shared/domain/calls/call-record.ts';
import { type Leg, newLeg } from '../shared/domain/calls/leg.ts';
import { callTally, leadTally } from '../shared/domain/calls/tally.ts';
import { maskPhone } from '../shared/domain/kernel/phone-mask.ts';
import { leadStatuses } from '../shared/domain/leads/callback-lead.ts';
import type { EventKind } from '../shared/domain/webhooks/event.ts';
import { dateAt, plusDays, startOfDate } from '../shared/domain/workspaces/business-hours.ts';
import type { Workspace } from '../shared/domain/workspaces/workspace.ts';
import { callEvent } from '../shared/use-cases/calls/call-events.ts';
import { sourceCodes } from '../shared/use-cases/calls/source-codes.ts';
import samples from './demo-week.json' with { type: 'json' };

/**
 * `when`: one or more times, such as `1 09:17`. The first number says how many days ago the call or request was, and the time is
 * in the shop's time zone. The phone numbers are reserved for fiction.
 */
const past = { when: z.array(z.string()), name: z.string(), number: z.string() };
const Call = z.object({
	...past,
	page: z.string(),
	status: z.enum(['completed', 'failed', 'canceled']),
	failure_reason: z.nullable(z.enum(failureReasons)),
	/** Seconds until a member took the call. Null if no member took it. */
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

type Shop = Pick<Workspace, 'id' | 'time_zone' | 'team'>;

/**
 * Writes the sample calls and callback requests of the last week. The calls have events but no deliveries, so no webhook is
 * sent.
 */
export async function writeWeek(shop: Shop, origin: string, { clock, ids, store }: OpsDeps): Promise<void> {
	const today = dateAt(shop.time_zone, clock.now());
	const stacks = ({ when, page }: { when: readonly string[]; page: string }): readonly DemoStack[] =>
		when.map((text) => {
			const [days_ago, time] = text.split(' ');
			const dayMs = startOfDate(shop.time_zone, plusDays(today, -Number(days_ago)));
			const at_ms = dayMs + Date.parse(`1970-01-01T${time}Z`);
			return { workspace_id: shop.id, source_url: `${origin}${page}`, id: ids.next(at_ms), at_ms };
		});
	const { calls, leads } = Week.parse(samples);
	const callWrites = calls.flatMap((call) =>
		stacks(call).map(async (stack, nth) => {
			const item = callOf(call, stack, [...shop.team.slice(nth % 2), ...shop.team.slice(0, nth % 2)]);
			const tally = callTally(item, clock.now(), await sourceCodes(item, store));
			const events = eventsOf(item, (atMs) => ids.next(atMs)).map((event) => {
				return { op: 'put', record: 'event', item: event, guard: { if: 'absent' } } as const;
			});
			return [{ op: 'put', record: 'call', item, guard: { if: 'absent' } }, tally, ...events] as const;
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

/** What is stored about a number. A plain hash is enough, because these numbers were never dialed. */
const aboutNumber = (number: string) => ({
	visitor_phone_masked: maskPhone(number),
	number_hash: createHash('sha256').update(number).digest('base64url'),
});

function leadOf({ name, note, status, number }: z.infer<typeof Lead>, { at_ms, ...stack }: DemoStack) {
	const created_at = new Date(at_ms).toISOString();
	const about = { ...aboutNumber(number), reference: null, version: 1, created_at, updated_at: created_at };
	return { ...stack, name, note, status, ...about };
}

/** `team`: the members who are rung. If one of them answers, it is always the first one. */
function callOf(call: z.infer<typeof Call>, stack: DemoStack, team: Shop['team']): CallRecord {
	const { status, failure_reason, waited_seconds, talked_seconds } = call;
	const { at_ms, ...about } = stack;
	const iso = (seconds: number): string => new Date(at_ms + seconds * 1000).toISOString();
	const isConnected = status === 'completed' && waited_seconds !== null;
	const endSeconds = (waited_seconds ?? 37) + 8 + talked_seconds;
	const phones = team.map(({ id, name, phone_masked }, nth): Leg => {
		const leg = {
			...newLeg(stack.id, 'agent', id, at_ms),
			member_name: name ?? phone_masked,
			rank: 'ended' as const,
			dialed_at: iso(1),
			ringing_at: iso(2),
		};
		if (waited_seconds === null)
			return { ...leg, ended_at: iso(endSeconds), cause: status === 'canceled' ? 'hung_up' : 'no_answer' };
		if (nth > 0) return { ...leg, ended_at: iso(waited_seconds), cause: 'hung_up' };
		const took = { answered_at: iso(waited_seconds - 2), accepted_at: iso(waited_seconds) };
		return { ...leg, ...took, ended_at: iso(endSeconds), cause: isConnected ? 'completed' : 'hung_up' };
	});
	const visitors = waited_seconds === null ? [] : [visitorLeg(stack, waited_seconds, isConnected ? endSeconds : null)];
	return {
		...about,
		...aboutNumber(call.number),
		version: 1,
		status,
		failure_reason,
		connected_at: isConnected ? iso(waited_seconds + 8) : null,
		completed_at: iso(endSeconds),
		duration_seconds: talked_seconds,
		created_at: iso(0),
		language: 'en',
		visitor_name: call.name,
		plan: { strategy: 'simultaneous', order: 'agent_first', members: team.map(({ id }) => id) },
		legs: [...phones, ...visitors],
		winner_leg_id: waited_seconds === null ? null : (phones[0]?.id ?? null),
		event_count: isConnected ? 4 : 3,
		timer_at: null,
		due_at: null,
	};
}

/**
 * The leg of the visitor, whose phone rings after a member has taken the call. `endSeconds` is the end of the conversation, or
 * null if the visitor's phone was busy.
 */
function visitorLeg({ id, at_ms }: DemoStack, takenSeconds: number, endSeconds: number | null): Leg {
	const iso = (seconds: number): string => new Date(at_ms + seconds * 1000).toISOString();
	const leg = { ...newLeg(id, 'visitor', null, at_ms + takenSeconds * 1000), rank: 'ended' as const };
	const dialed = { ...leg, dialed_at: iso(takenSeconds + 1) };
	if (endSeconds === null) return { ...dialed, ended_at: iso(takenSeconds + 8), cause: 'busy' };
	const talked = { ringing_at: iso(takenSeconds + 3), answered_at: iso(takenSeconds + 8), ended_at: iso(endSeconds) };
	return { ...dialed, ...talked, cause: 'completed' };
}

/** The events that the call would have made when it changed. */
function eventsOf(call: CallRecord, idAt: (atMs: number) => string) {
	const { id, workspace_id, created_at, connected_at, completed_at, duration_seconds, status, legs } = call;
	const rangAt = legs.find((leg) => leg.ringing_at !== null)?.ringing_at ?? null;
	const moments: readonly (readonly [EventKind, string | null])[] = [
		['call.requested', created_at],
		['call.ringing', rangAt],
		['call.connected', connected_at],
		[status === 'completed' ? 'call.completed' : 'call.failed', completed_at],
	];
	const happened = moments.flatMap(([kind, at]) => (at === null ? [] : [[kind, Date.parse(at)] as const]));
	return happened.map(([kind, atMs], nth) => {
		const isLast = nth === happened.length - 1;
		const then = isLast ? status : statusAt(kind);
		const data = { id, workspace_id, status: then, duration_seconds: isLast ? duration_seconds : null };
		return callEvent({ kind, data }, nth + 1, idAt(atMs), atMs);
	});
}

function statusAt(kind: EventKind): CallRecord['status'] {
	if (kind === 'call.connected') return 'connected';
	return kind === 'call.ringing' ? 'ringing' : 'requested';
}
