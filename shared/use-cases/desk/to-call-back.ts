import { isMissed, isTerminal, visitorLeg } from '../../domain/calls/call.ts';
import type { CallRecord } from '../../domain/calls/call-record.ts';
import { lowestIdAt } from '../../domain/kernel/id.ts';
import type { CallbackLead } from '../../domain/leads/callback-lead.ts';
import { type CallbackLink, callIdsOf } from '../../domain/notices/callback-link.ts';
import { startOfYesterday } from '../../domain/workspaces/business-hours.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { isAnySuppressed } from '../calls/suppress-number.ts';

// The people who wait to be called back. Each of these people asked for a call back (a pending lead), or requested a call
// that the team missed today or yesterday. If the team has reached a visitor since a missed call, the visitor no longer
// waits. Whether the team may call back after a missed call depends on what the visitor agreed to.

type Reads = Pick<Ports, 'store' | 'clock'>;
type Get = Pick<Reads['store'], 'get'>;

/**
 * Why a person cannot be called back now. `not_callable`: the person's data was erased, the number is suppressed, or the
 * team has handled or dismissed the lead. `calling_now`: a call to the number is live. `not_agreed`: the text that the
 * visitor agreed to does not allow a call back, or the time for a call back is over. `called_once`: the one call back that
 * the text allows was made.
 */
export type NotNow = 'not_callable' | 'calling_now' | 'not_agreed' | 'called_once';
type CallsBack = {
	readonly link: CallbackLink | null;
	/** The calls that were placed with the links of this lead or missed call, oldest first. */
	readonly attempts: readonly CallRecord[];
};
type Shared = CallsBack & {
	/** Null if the person can be called back now. */
	readonly refused: NotNow | null;
};
export type WaitingLead = Shared & { readonly of: 'callback_lead'; readonly asked: CallbackLead };
export type WaitingCall = Shared & {
	readonly of: 'call';
	readonly asked: CallRecord;
	/** The latest call to the number. Null if it is no longer stored. */
	readonly latest: CallRecord | null;
};
export type Waiting = WaitingLead | WaitingCall;

export async function waitingLead(lead: CallbackLead, { store }: Reads): Promise<WaitingLead> {
	const { link, attempts } = await callsBack(lead.id, store);
	const about = { of: 'callback_lead', asked: lead, link, attempts } as const;
	if (attempts.some(isLive)) return { ...about, refused: 'calling_now' };
	const mayCall = lead.number_hash !== undefined && !(await isAnySuppressed([lead.number_hash], store));
	return { ...about, refused: mayCall ? null : 'not_callable' };
}

/**
 * Why a missed call no longer waits: a person marked it as handled, the team talked with the visitor in a call back, or in
 * another call.
 */
export type Settled = 'handled' | 'called_back' | 'reached';

/**
 * A missed call with its calls back, and whether its visitor can be called now. If the call no longer waits, only the reason.
 * Null if the visitor's data was erased.
 */
export async function afterMissed(
	asked: CallRecord,
	{ store, clock }: Reads,
	known?: CallsBack,
): Promise<WaitingCall | Settled | null> {
	const { number_hash } = asked;
	if (number_hash === undefined) return null;
	const [usage, { link, attempts }] = await Promise.all([
		store.get('number_usage', { number_hash }),
		known ?? callsBack(asked.id, store),
	]);
	if (link?.handled_at !== undefined) return 'handled';
	if (attempts.some(({ connected_at }) => isAfter(asked, connected_at))) return 'called_back';
	const latestId = usage?.live_call_id;
	// Most often, the latest call is the missed call itself.
	const read = [asked, ...attempts].find(({ id }) => id === latestId);
	const latest = read ?? (latestId ? await store.get('call', { id: latestId }) : null);
	if (isAfter(asked, usage?.reached_at) || isAfter(asked, latest?.connected_at)) return 'reached';
	const because = (refused: NotNow | null): WaitingCall => ({ of: 'call', asked, link, attempts, latest, refused });
	const calls = [...attempts, latest].filter((each) => each !== null);
	if (calls.some(isLive)) return because('calling_now');
	if (usage?.suppressed) return because('not_callable');
	if ((asked.call_back_until ?? '') <= new Date(clock.now()).toISOString()) return because('not_agreed');
	return because(attempts.some(hasRungVisitor) ? 'called_once' : null);
}

const isAfter = ({ created_at }: CallRecord, at: string | null | undefined): boolean => (at ?? '') > created_at;
export const hasRungVisitor = (attempt: Pick<CallRecord, 'legs'>): boolean => visitorLeg(attempt) !== null;

/** Like `afterMissed`, but null if the call no longer waits. */
export async function waitingCall(asked: CallRecord, deps: Reads, known?: CallsBack): Promise<WaitingCall | null> {
	const after = await afterMissed(asked, deps, known);
	return typeof after === 'string' ? null : after;
}

const isLive = ({ status }: CallRecord): boolean => !isTerminal(status);

/** The calls back of a lead or a missed call, oldest first, and the link with which they were placed. */
export async function callsBack(id: string, store: Get): Promise<CallsBack> {
	const link = await store.get('callback_link', { lead_id: id });
	return { link, attempts: await attemptsOf(link, store) };
}

async function attemptsOf(link: CallbackLink | null, store: Get): Promise<readonly CallRecord[]> {
	const calls = await Promise.all((link === null ? [] : callIdsOf(link)).map((id) => store.get('call', { id })));
	return calls.filter((call) => call !== null);
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
): boolean => Date.parse(created_at) >= startOfYesterday(time_zone, nowMs);

/** The most missed calls of one list. Older missed calls are in lists of their own. */
export const MOST_MISSED = 100;
/** Among this many of the newest leads, the list looks for newer requests of the visitors whose calls were missed. */
const MOST_LEADS = 200;

/** Where a page of the people who wait begins. */
export type WaitingPlace = {
	/** The id of the first request on the page. Null if the page is the first of its list. */
	readonly from_id: string | null;
	/** If it is not null, the list has only missed calls, and only those before the one with this id. */
	readonly before_id: string | null;
};

/** The first page of the first list. */
export const FIRST: WaitingPlace = { from_id: null, before_id: null };

export type WaitingPage = {
	readonly items: readonly Waiting[];
	/** The id at which the next page of the list begins. Null on the last page. */
	readonly next: string | null;
	/** The id before which the next list begins, which has older missed calls. Null if there are none. */
	readonly older: string | null;
};

/**
 * One page of the people who wait, oldest first. The first list has all leads, and as many of the newest missed calls as the
 * limit allows. So the newest of many missed calls are found at once, and older ones in further lists.
 */
export async function listToCallBack(
	workspace: Workspace,
	{ from_id, before_id }: WaitingPlace,
	limit: number,
	deps: Reads,
): Promise<WaitingPage> {
	const part = { status: 'pending' } as const;
	const range = { from_id, before_id: null, limit: limit + 1, oldest_first: true, part } as const;
	const [leads, { waiting: calls, older }] = await Promise.all([
		before_id === null ? deps.store.list('callback_lead', workspace.id, range) : [],
		missedCalls(workspace, { from_id, before_id }, limit + 1, deps),
	]);
	const waiting = await Promise.all(leads.map((lead) => waitingLead(lead, deps)));
	const items = [...waiting, ...calls].sort((a, b) => (a.asked.id < b.asked.id ? -1 : 1));
	return { items: items.slice(0, limit), next: items[limit]?.asked.id ?? null, older };
}

const MISSED = { status: 'missed' } as const;

/** The missed calls of one list from a place on, oldest first. */
async function missedCalls(
	workspace: Workspace,
	{ from_id, before_id }: WaitingPlace,
	limit: number,
	deps: Reads,
): Promise<{ readonly waiting: readonly WaitingCall[]; readonly older: string | null }> {
	const { store, clock } = deps;
	const start = lowestIdAt(startOfYesterday(workspace.time_zone, clock.now()));
	const missed = { from_id: start, before_id, limit: MOST_MISSED + 1, part: MISSED };
	const [ids, leads] = await Promise.all([
		store.listFields('call', workspace.id, missed, []),
		store.listFields('callback_lead', workspace.id, { from_id: start, before_id: null, limit: MOST_LEADS }, [
			'number_hash',
		]),
	]);
	const listed = ids.slice(0, MOST_MISSED);
	const candidates = listed.filter(({ id }) => id >= (from_id ?? '')).toReversed();
	const waiting: WaitingCall[] = [];
	// Most pages need only the first step. If most visitors were reached, each further step looks at more calls.
	for (let at = 0, step = limit; at < candidates.length && waiting.length < limit; at += step, step *= 4) {
		const some = candidates.slice(at, at + step).map(({ id }) => waitingInList(id, leads, deps));
		waiting.push(...(await Promise.all(some)).filter((each) => each !== null));
	}
	return { waiting: waiting.slice(0, limit), older: (ids.length > MOST_MISSED && listed.at(-1)?.id) || null };
}

/**
 * A missed call whose visitor waits. Null if the number has a newer request (a missed call or a lead), because a person is
 * listed once, with the newest request. The link comes first, because it is small and alone says what was handled.
 */
async function waitingInList(
	id: string,
	leads: readonly Pick<CallbackLead, 'id' | 'number_hash'>[],
	deps: Reads,
): Promise<WaitingCall | null> {
	const { store } = deps;
	const link = await store.get('callback_link', { lead_id: id });
	if (link?.handled_at !== undefined) return null;
	const [asked, attempts] = await Promise.all([store.get('call', { id }), attemptsOf(link, store)]);
	if (asked === null || !isMissed(asked)) return null;
	if (leads.some((lead) => lead.id > id && lead.number_hash === asked.number_hash)) return null;
	const waiting = await waitingCall(asked, deps, { link, attempts });
	return waiting === null || (await hasNewer(waiting, store)) ? null : waiting;
}

/** Whether the visitor has requested another call since, which was missed, too. */
async function hasNewer({ asked, attempts, latest }: WaitingCall, { listFields }: Reads['store']): Promise<boolean> {
	const { id, number_hash, workspace_id } = asked;
	if (latest === null || latest.id <= id || attempts.includes(latest)) return false;
	const newest = isMissed(latest) ? latest.id : (latest.calls_back ?? latest.lead_id);
	if (newest !== undefined) return newest > id;
	// The latest call ended in another way, for example because the visitor hung up. Before it, others may have been missed.
	const between = { from_id: id, before_id: latest.id, limit: MOST_MISSED, part: MISSED };
	const missed = await listFields('call', workspace_id, between, ['number_hash']);
	return missed.some((call) => call.id !== id && call.number_hash === number_hash);
}
