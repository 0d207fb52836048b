import * as z from 'zod/mini';
import type { OpsDeps } from '../ops/connect.ts';
import { failureReasons, isMissed } from '../shared/domain/calls/call.ts';
import type { CallRecord } from '../shared/domain/calls/call-record.ts';
import { type Leg, newLeg } from '../shared/domain/calls/leg.ts';
import { callTally, leadTally } from '../shared/domain/calls/tally.ts';
import { maskPhone } from '../shared/domain/kernel/phone-mask.ts';
import { callOwner, leadOwner } from '../shared/domain/kernel/phone-number.ts';
import { leadStatuses } from '../shared/domain/leads/callback-lead.ts';
import { type EventKind, eventKinds } from '../shared/domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../shared/domain/webhooks/webhook-endpoint.ts';
import { dateAt, endOfTomorrow, plusDays, startOfDate } from '../shared/domain/workspaces/business-hours.ts';
import { type ConsentCase, consentText } from '../shared/domain/workspaces/consent-text.ts';
import { deskRoles } from '../shared/domain/workspaces/desk-person.ts';
import { SEEN_SECONDS } from '../shared/domain/workspaces/site-use.ts';
import type { Workspace } from '../shared/domain/workspaces/workspace.ts';
import type { Write } from '../shared/ports/store.ts';
import { numberHash } from '../shared/use-cases/access/keyed-hash.ts';
import { callEvent } from '../shared/use-cases/calls/call-events.ts';
import { sourceCodes } from '../shared/use-cases/calls/source-codes.ts';
import { auditEntry } from '../shared/use-cases/desk/audit-entry.ts';
import { visitWrite } from '../shared/use-cases/desk/enter-desk.ts';
import { asRead } from '../shared/use-cases/kernel/unit-of-work.ts';
import { LEAD_NUMBER_SECONDS, leadEvent } from '../shared/use-cases/leads/capture-lead.ts';
import { CONSENT_SECONDS } from '../shared/use-cases/widget/screen-visitor.ts';
import { editWorkspace } from '../shared/use-cases/workspaces/edit-workspace.ts';
import { Answers, pastDeliveries } from './demo-deliveries.ts';
import samples from './demo-week.json' with { type: 'json' };

/**
 * A time such as `1 09:17` or `13 10:05`. The first number says how many days ago something happened, and the time is in the shop's time
 * zone.
 */
const Past = z.string().check(z.regex(/^\d\d? \d\d:\d\d$/));
/** `when`: one or more times. The phone numbers are reserved for fiction. */
const past = { when: z.array(Past), name: z.string(), number: z.string() };
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
const Week = z.object({
	calls: z.array(Call),
	leads: z.array(Lead),
	/** The deliveries that did not succeed at once. `of`: the time of the call or request. */
	receiver: z.array(z.object({ of: Past, event: z.enum(eventKinds), answers: Answers })),
	/** The people of the desk besides its owner, with the time of their last visit. */
	people: z.array(z.object({ address: z.string(), role: z.enum(deskRoles), visited: Past })),
	/** `request`: the time of the callback request that the entry is about. */
	activity: z.array(
		z.object({
			when: Past,
			address: z.string(),
			change: z.string(),
			about: z.nullable(z.string()),
			request: z.optional(Past),
		}),
	),
});

type DemoStack = {
	readonly workspace_id: string;
	readonly source_url: string;
	readonly id: string;
	readonly at_ms: number;
	readonly answers: (event: EventKind) => Answers | undefined;
};
type Deps = Pick<OpsDeps, 'clock' | 'ids' | 'store' | 'macs' | 'sealer'>;

/**
 * Writes what a shop's last week would have left: calls, callback requests, their deliveries, and what the people of the desk
 * did. The week before had fewer calls, so that the statistics have something to compare with. Nothing is sent, because each
 * delivery has ended.
 */
export async function writeWeek(shop: Workspace, origin: string, deps: Deps): Promise<void> {
	const { clock, ids, store } = deps;
	const { calls, leads, receiver, people, activity } = Week.parse(samples);
	const today = dateAt(shop.time_zone, clock.now());
	const msOf = (text: string): number => {
		const [days_ago, time] = text.split(' ');
		return startOfDate(shop.time_zone, plusDays(today, -Number(days_ago))) + Date.parse(`1970-01-01T${time}Z`);
	};
	const stacks = ({ when, page }: { when: readonly string[]; page: string }): readonly DemoStack[] =>
		when.map((text) => {
			const at_ms = msOf(text);
			const answers = (event: EventKind) => receiver.find((each) => each.of === text && each.event === event)?.answers;
			return { workspace_id: shop.id, source_url: `${origin}${page}`, id: ids.next(at_ms), at_ms, answers };
		});
	const endpoints = await store.endpointsOf(shop.id);
	const ofShop = { ...deps, shop, origin, endpoints };
	const requests = leads.flatMap((lead) => stacks({ ...lead, page: '/pricing' }).map((stack) => ({ lead, stack })));
	await Promise.all([
		...calls.flatMap((call) => stacks(call).map((stack, nth) => writeCall(call, stack, nth, ofShop))),
		...requests.map(({ lead, stack }) => writeLead(lead, stack, ofShop)),
		writeFirstDay(shop, endpoints, msOf('15 08:40'), deps),
		writeSighting(shop, origin, Math.max(...calls.flatMap(({ when }) => when.map(msOf))), deps),
	]);
	await writeDesk(
		shop,
		people.map(({ visited, ...person }) => ({ ...person, visited_ms: msOf(visited) })),
		{ since_ms: msOf('14 08:45'), created_ms: msOf('15 08:40') },
		deps,
	);
	await store.commit(
		activity.map(({ when, request, ...entry }) => {
			const asked = request && requests.find(({ stack }) => stack.at_ms === msOf(request));
			const about = asked ? asked.stack.id : entry.about;
			return auditEntry({ ...entry, about, workspace_id: shop.id }, { ids, clock: { now: () => msOf(when) } });
		}),
	);
}

type OfShop = Deps & {
	readonly shop: Workspace;
	readonly origin: string;
	readonly endpoints: readonly WebhookEndpoint[];
};

async function writeCall(call: z.infer<typeof Call>, stack: DemoStack, nth: number, deps: OfShop): Promise<void> {
	const { shop, clock, ids, store } = deps;
	const { team } = shop;
	const number_hash = await numberHash(deps.macs, shop.id, call.number);
	const item = { ...callOf(call, stack, [...team.slice(nth % 2), ...team.slice(0, nth % 2)]), number_hash };
	const tally = callTally(item, clock.now(), await sourceCodes(item, store));
	const events = eventsOf(item, (atMs) => ids.next(atMs));
	const untilMs = endOfTomorrow(shop.time_zone, stack.at_ms);
	const missed = isMissed(item) ? { ...item, call_back_until: new Date(untilMs).toISOString() } : item;
	await store.commit([
		{ op: 'put', record: 'call', item: missed, guard: { if: 'absent' } },
		tally,
		...visitorWrites('call', call.number, number_hash, stack, isMissed(item) ? untilMs : null, deps),
		...events.flatMap((event) => pastDeliveries(event, deps.endpoints, stack.answers(event.kind))),
	]);
}

async function writeLead(lead: z.infer<typeof Lead>, stack: DemoStack, deps: OfShop): Promise<void> {
	const { shop, ids, store } = deps;
	const { at_ms, answers, ...about } = stack;
	const created_at = new Date(at_ms).toISOString();
	const { name, note, status, number } = lead;
	const number_hash = await numberHash(deps.macs, shop.id, number);
	const visitor_phone_masked = maskPhone(number);
	const times = { version: 1, created_at, updated_at: created_at };
	const item = { ...about, name, note, status, visitor_phone_masked, number_hash, reference: null, ...times };
	const event = leadEvent({ ...item, status: 'pending' }, ids.next(at_ms));
	await store.commit([
		{ op: 'put', record: 'callback_lead', item, guard: { if: 'absent' } },
		...leadTally(item, null, at_ms, await sourceCodes(item, store)),
		...visitorWrites('lead', number, number_hash, stack, at_ms + LEAD_NUMBER_SECONDS * 1000, deps),
		...pastDeliveries(event, deps.endpoints, answers(event.kind)),
	]);
}

/**
 * Writes the consent of a visitor and, until `untilMs`, the visitor's number. `untilMs` is null if the number is not kept.
 */
function visitorWrites(
	purpose: ConsentCase,
	number: string,
	number_hash: string,
	{ id, at_ms, source_url }: DemoStack,
	untilMs: number | null,
	{ shop, origin, sealer, clock }: OfShop,
): readonly Write[] {
	const owner = purpose === 'call' ? callOwner(id) : leadOwner(id);
	const { text } = consentText(shop, 'en', purpose);
	const consent = {
		number_hash,
		subject: owner,
		workspace_id: shop.id,
		text,
		language: 'en',
		given_at: new Date(at_ms).toISOString(),
		page_url: source_url,
		origin,
		address_hash: number_hash,
		expires_at_epoch_s: Math.floor(at_ms / 1000) + CONSENT_SECONDS,
	} as const;
	const guard = { if: 'absent' } as const;
	const agreed = { op: 'put', record: 'consent', item: consent, guard } as const;
	if (untilMs === null || untilMs <= clock.now()) return [agreed];
	const item = { owner, sealed: sealer.sealNumber(number), expires_at_epoch_s: Math.floor(untilMs / 1000) };
	return [agreed, { op: 'put', record: 'sealed_number', item, guard }];
}

/** Makes the shop's endpoints and API keys older than the shop's first call. */
async function writeFirstDay(
	{ id: workspace_id }: Workspace,
	endpoints: readonly WebhookEndpoint[],
	atMs: number,
	{ store }: Deps,
): Promise<void> {
	const created_at = new Date(atMs).toISOString();
	const keys = await store.list('api_key', workspace_id, { from_id: null, before_id: null, limit: 10 });
	const older = <Item extends { readonly version: number }>(item: Item) => ({
		...item,
		created_at,
		version: item.version + 1,
	});
	await store.commit([
		...endpoints.map((each) => {
			const item = { ...older(each), updated_at: created_at };
			return { op: 'put', record: 'webhook_endpoint', item, guard: asRead(each) } as const;
		}),
		...keys.map((each) => ({ op: 'put', record: 'api_key', item: older(each), guard: asRead(each) }) as const),
	]);
}

/** Writes that the site showed the widget when the shop's last call was requested. */
async function writeSighting(shop: Workspace, origin: string, atMs: number, { store }: Deps): Promise<void> {
	const seen_at = new Date(atMs).toISOString();
	const expires_at_epoch_s = Math.floor(atMs / 1000) + SEEN_SECONDS;
	const item = { workspace_id: shop.id, origin, seen_at, expires_at_epoch_s };
	await store.commit([{ op: 'put', record: 'site_use', item, guard: { if: 'always' } }]);
}

const WEEK = ([1, 2, 3, 4, 5] as const).map((weekday) => ({ weekday, from_minute: 9 * 60, to_minute: 18 * 60 }));

type Visitor = Pick<Workspace['desk'][number], 'address' | 'role'> & { readonly visited_ms: number };

/**
 * Makes the shop older than its first call, and adds people to its desk. These people count as having accepted, so no
 * invitation is mailed. The shop is always open, so that a call can be placed at any time. It keeps the hours it had before.
 */
async function writeDesk(
	shop: Workspace,
	people: readonly Visitor[],
	{ since_ms, created_ms }: { readonly since_ms: number; readonly created_ms: number },
	{ store }: Deps,
): Promise<void> {
	const sessions_from = new Date(since_ms).toISOString();
	const created_at = new Date(created_ms).toISOString();
	await editWorkspace(
		shop.id,
		({ desk }) => ({
			changes: {
				created_at,
				hours_before: { weekly: WEEK, holidays: [] },
				desk: [...desk, ...people.map(({ address, role }) => ({ address, role, sessions_from }))],
			},
			writes: people.map(({ address, visited_ms }) => visitWrite({ address, workspace_id: shop.id }, visited_ms)),
		}),
		{ store },
	);
}

/** `team`: the members who are rung. If one of them answers, it is always the first one. */
function callOf(call: z.infer<typeof Call>, stack: DemoStack, team: Workspace['team']): CallRecord {
	const { status, failure_reason, waited_seconds, talked_seconds } = call;
	const { at_ms, answers: _, ...about } = stack;
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
		visitor_phone_masked: maskPhone(call.number),
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
