import { isMissed } from '../../domain/calls/call.ts';
import type { CallRecord } from '../../domain/calls/call-record.ts';
import type { CallbackLead } from '../../domain/leads/callback-lead.ts';
import { CALLBACK_LINK_REMEMBERED_SECONDS } from '../../domain/notices/callback-link.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { afterMissed, hasRungVisitor, isOfYesterday, type Settled, type WaitingCall } from './to-call-back.ts';

type Deps = Pick<Ports, 'store' | 'clock'>;

/**
 * What became of a missed call. `waits`: the visitor waits to be called back. `not_from_here`: the visitor waits, but the
 * team may not call back. `not_called`: the call is too old to be in the list of people to call back, and no one has called
 * the visitor since. `id`: the visitor's newest missed call, which a person can handle.
 */
export type MissedState = { readonly state: Settled | 'waits' | 'not_from_here' | 'not_called'; readonly id: string };

/** At most this many calls are read to find out whether the visitors of old missed calls were called since. */
const MOST_LATER = 200;

/**
 * What became of each missed call of a page of calls, in their order. Null for a call that was not missed, and if that is not
 * known: for an old call that no one has called back, if there were too many calls or callback requests since, or if a link with which a person
 * called back may have been deleted.
 */
export async function missedStates(
	calls: readonly CallRecord[],
	workspace: Workspace,
	deps: Deps,
): Promise<readonly (MissedState | null)[]> {
	const states = await Promise.all(calls.map((call) => missedState(call, workspace, deps)));
	const since = deps.clock.now() - CALLBACK_LINK_REMEMBERED_SECONDS * 1000;
	const isOpen = (call: CallRecord, nth: number): boolean =>
		isMissed(call) && call.number_hash !== undefined && states[nth] === null && Date.parse(call.created_at) > since;
	const from_id = calls.filter(isOpen).at(-1)?.id;
	if (from_id === undefined) return states;
	const later = await laterOnes(workspace.id, from_id, deps);
	if (later === null) return states;
	const stateOf = async (call: CallRecord, nth: number) =>
		isOpen(call, nth) ? oldState(call, later, workspace, deps) : (states[nth] ?? null);
	return Promise.all(calls.map(stateOf));
}

type LaterCall = Pick<CallRecord, 'id' | 'number_hash' | 'connected_at' | 'legs'>;
type Later = {
	readonly calls: readonly LaterCall[];
	readonly leads: readonly Pick<CallbackLead, 'id' | 'number_hash'>[];
};

/**
 * The calls and the callback requests since `from_id`, newest first. Null if there are more than `MOST_LATER` of one kind: then
 * only the ids are read.
 */
async function laterOnes(workspaceId: string, from_id: string, { store }: Deps): Promise<Later | null> {
	const range = { from_id, before_id: null, limit: MOST_LATER + 1 };
	const ids = await Promise.all([
		store.listFields('call', workspaceId, range, []),
		store.listFields('callback_lead', workspaceId, range, []),
	]);
	if (ids.some(({ length }) => length > MOST_LATER)) return null;
	const [calls, leads] = await Promise.all([
		store.listFields('call', workspaceId, range, ['number_hash', 'connected_at', 'legs']),
		store.listFields('callback_lead', workspaceId, range, ['number_hash']),
	]);
	return { calls, leads };
}

/**
 * What became of an old missed call, from the calls since, newest first. If the visitor's newest call was missed, too, what
 * became of that one. Null if a later call rang the visitor, but they did not talk, or if the visitor has also left a callback
 * request, because that request says what became of it.
 */
async function oldState(
	{ id, number_hash }: CallRecord,
	later: Later,
	workspace: Workspace,
	deps: Deps,
): Promise<MissedState | null> {
	const isOfVisitor = (each: { readonly id: string; readonly number_hash?: string }): boolean =>
		each.id > id && each.number_hash === number_hash;
	const ofVisitor = later.calls.filter(isOfVisitor);
	if (ofVisitor.some(({ connected_at }) => connected_at !== null)) return { state: 'reached', id };
	if (ofVisitor.some(hasRungVisitor) || later.leads.some(isOfVisitor)) return null;
	const [newest] = ofVisitor;
	const call = newest === undefined ? null : await deps.store.get('call', { id: newest.id });
	return (call && (await missedState(call, workspace, deps))) ?? { state: 'not_called', id };
}

/**
 * What became of a missed call. If the visitor's newer call was missed, too, what became of that one. Null if the call was not
 * missed, or if it is too old to be in the list of people to call back and no one has called back.
 */
async function missedState(call: CallRecord, workspace: Workspace, deps: Deps): Promise<MissedState | null> {
	const after = isMissed(call) ? await afterMissed(call, deps) : null;
	if (after === null) return null;
	if (typeof after === 'string') return { state: after, id: call.id };
	const newer = await newerMissed(after, deps);
	if (newer !== null) return missedState(newer, workspace, deps);
	const isCalled = after.attempts.some(hasRungVisitor);
	if (isOfYesterday(call, workspace, deps.clock.now())) return { state: waitsAs(after), id: call.id };
	return isCalled ? { state: 'called_back', id: call.id } : null;
}

function waitsAs({ refused }: WaitingCall): MissedState['state'] {
	if (refused === 'called_once') return 'called_back';
	return refused === null || refused === 'calling_now' ? 'waits' : 'not_from_here';
}

/** The missed call that the visitor's latest call is or answers, if it is newer than the one asked about. */
async function newerMissed({ asked, latest }: WaitingCall, { store }: Deps): Promise<CallRecord | null> {
	const id = latest === null || isMissed(latest) ? latest?.id : latest.calls_back;
	if (id === undefined || id <= asked.id) return null;
	return latest?.id === id ? latest : store.get('call', { id });
}
