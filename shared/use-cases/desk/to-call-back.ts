import { isMissed, isTerminal, visitorLeg } from '../../domain/calls/call.ts';
import type { CallRecord } from '../../domain/calls/call-record.ts';
import { lowestIdAt } from '../../domain/kernel/id.ts';
import type { CallbackLead } from '../../domain/leads/callback-lead.ts';
import { type CallbackLink, callIdsOf } from '../../domain/notices/callback-link.ts';
import { endOfTomorrow } from '../../domain/workspaces/business-hours.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { isAnySuppressed } from '../calls/suppress-number.ts';
import { listPage } from '../kernel/list-page.ts';

// The people who wait to be called back. Each of these people asked for a call back (a pending lead), or requested a call
// that the team missed today or yesterday. If the team has reached a visitor since a missed call, the visitor no longer
// waits. Whether the team may call back after a missed call depends on what the visitor agreed to.

type Reads = Pick<Ports, 'store' | 'clock'>;

/**
 * Why a person cannot be called back now. `not_callable`: the person's data was erased, the number is suppressed, or the
 * team has handled or dismissed the lead. `calling_now`: a call to the number is live. `not_agreed`: the text that the
 * visitor agreed to does not allow a call back, or the time for a call back is over. `called_once`: the one call back that
 * the text allows was made.
 */
export type NotNow = 'not_callable' | 'calling_now' | 'not_agreed' | 'called_once';
type Shared = {
	readonly link: CallbackLink | null;
	/** The calls that were placed with the links of this lead or missed call, oldest first. */
	readonly attempts: readonly CallRecord[];
	/** Null if the person can be called back now. */
	readonly refused: NotNow | null;
};
export type WaitingLead = Shared & { readonly of: 'callback_lead'; readonly asked: CallbackLead };
export type WaitingCall = Shared & { readonly of: 'call'; readonly asked: CallRecord };
export type Waiting = WaitingLead | WaitingCall;

export async function waitingLead(lead: CallbackLead, { store }: Reads): Promise<WaitingLead> {
	const { link, attempts } = await callsBack(lead.id, store);
	const about = { of: 'callback_lead', asked: lead, link, attempts } as const;
	if (attempts.some(isLive)) return { ...about, refused: 'calling_now' };
	const mayCall = lead.number_hash !== undefined && !(await isAnySuppressed([lead.number_hash], store));
	return { ...about, refused: mayCall ? null : 'not_callable' };
}

/**
 * A missed call with its calls back, and whether its visitor can be called now. Null if the team has reached the visitor
 * since the call, if the call was marked as handled, or if the visitor's data was erased.
 */
export async function waitingCall(call: CallRecord, { store, clock }: Reads): Promise<WaitingCall | null> {
	const { number_hash, call_back_until = '' } = call;
	if (number_hash === undefined) return null;
	const [usage, { link, attempts }] = await Promise.all([
		store.get('number_usage', { number_hash }),
		callsBack(call.id, store),
	]);
	const latest = usage?.live_call_id ? await store.get('call', { id: usage.live_call_id }) : null;
	const times = [usage?.reached_at, ...[...attempts, latest].map((each) => each?.connected_at)];
	if (link?.handled_at !== undefined || times.some((at) => at && at > call.created_at)) return null;
	const about = { of: 'call', asked: call, link, attempts } as const;
	if ([...attempts, latest].some((each) => each !== null && isLive(each))) return { ...about, refused: 'calling_now' };
	if (usage?.suppressed) return { ...about, refused: 'not_callable' };
	if (call_back_until <= new Date(clock.now()).toISOString()) return { ...about, refused: 'not_agreed' };
	return { ...about, refused: attempts.some((each) => visitorLeg(each) !== null) ? 'called_once' : null };
}

const isLive = ({ status }: CallRecord): boolean => !isTerminal(status);

/** The calls back of a lead or a missed call, oldest first, and the link with which they were placed. */
export async function callsBack(
	id: string,
	store: Pick<Reads['store'], 'get'>,
): Promise<Pick<Shared, 'link' | 'attempts'>> {
	const link = await store.get('callback_link', { lead_id: id });
	const calls = await Promise.all(
		(link === null ? [] : callIdsOf(link)).map((each) => store.get('call', { id: each })),
	);
	return { link, attempts: calls.filter((call) => call !== null) };
}

/** Whether the visitor's data was erased. A test call counts as not erased, because it never had a visitor's number. */
export const isErased = (asked: CallRecord | CallbackLead): boolean =>
	asked.number_hash === undefined && !('is_test' in asked && asked.is_test);

/**
 * Whether a call was made today or yesterday, on the shop's clock. An older missed call is no longer in the list of people
 * to call back.
 */
export const isOfYesterday = (
	{ created_at }: Pick<CallRecord, 'created_at'>,
	{ time_zone }: Pick<Workspace, 'time_zone'>,
	nowMs: number,
): boolean => endOfTomorrow(time_zone, Date.parse(created_at)) > nowMs;

/** The most missed calls that are read, newest first. The same limit applies to leads. */
export const MOST_MISSED = 200;
/** How far back missed calls are read. In every time zone, yesterday began less than this time ago. */
const LOOKS_BACK_MS = 50 * 3_600_000;

/**
 * One page of the people who wait, oldest first, from `from_id` on. `next` is the id at which the next page begins. `is_cut`
 * is true if more calls were missed than are read (`MOST_MISSED`).
 */
export async function listToCallBack(
	workspace: Workspace,
	from_id: string | null,
	limit: number,
	deps: Reads,
): Promise<{ readonly items: readonly Waiting[]; readonly next: string | null; readonly is_cut: boolean }> {
	const part = { status: 'pending' } as const;
	const range = { from_id, before_id: null, limit: limit + 1, oldest_first: true, part } as const;
	const [leads, { waiting: calls, is_cut }] = await Promise.all([
		deps.store.list('callback_lead', workspace.id, range),
		missedSince(workspace, from_id ?? '', limit + 1, deps),
	]);
	const waiting = await Promise.all(leads.map((lead) => waitingLead(lead, deps)));
	const items = [...waiting, ...calls].sort((a, b) => (a.asked.id < b.asked.id ? -1 : 1));
	return { items: items.slice(0, limit), next: items[limit]?.asked.id ?? null, is_cut };
}

/**
 * The missed calls from `fromId` on, oldest first. If a number has several requests (missed calls or leads), only its
 * newest request can be in the list.
 */
async function missedSince(
	workspace: Workspace,
	fromId: string,
	limit: number,
	deps: Reads,
): Promise<{ readonly waiting: readonly WaitingCall[]; readonly is_cut: boolean }> {
	const nowMs = deps.clock.now();
	const range = {
		workspace_id: workspace.id,
		from_id: lowestIdAt(nowMs - LOOKS_BACK_MS),
		before_id: null,
		limit: MOST_MISSED,
	};
	const missed = { ...range, parts: [{ status: 'missed' } as const] };
	const [calls, leads] = await Promise.all([
		listPage('call', missed, (call) => isMissed(call) && isOfYesterday(call, workspace, nowMs), deps.store),
		listPage('callback_lead', range, () => true, deps.store),
	]);
	const latest = new Map<string | undefined, string>();
	for (const { number_hash, id } of [...calls.items, ...leads.items])
		if (id > (latest.get(number_hash) ?? '')) latest.set(number_hash, id);
	const candidates = calls.items
		.filter(({ number_hash, id }) => id >= fromId && latest.get(number_hash) === id)
		.toReversed();
	const waiting: WaitingCall[] = [];
	for (let at = 0; at < candidates.length && waiting.length < limit; at += limit) {
		const some = await Promise.all(candidates.slice(at, at + limit).map((call) => waitingCall(call, deps)));
		waiting.push(...some.filter((each) => each !== null));
	}
	return { waiting: waiting.slice(0, limit), is_cut: calls.next_before_id !== null };
}
