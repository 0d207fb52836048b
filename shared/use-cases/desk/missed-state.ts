import { isMissed } from '../../domain/calls/call.ts';
import type { CallRecord } from '../../domain/calls/call-record.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { afterMissed, hasRungVisitor, isOfYesterday, type Settled, type WaitingCall } from './to-call-back.ts';

type Deps = Pick<Ports, 'store' | 'clock'>;

/**
 * What became of a missed call. `waits`: the visitor waits to be called back. `not_from_here`: the visitor waits, but the
 * team may not call back. `id`: the visitor's newest missed call, which a person can handle.
 */
export type MissedState = { readonly state: Settled | 'waits' | 'not_from_here'; readonly id: string };

/**
 * What became of a missed call. If the visitor's newer call was missed, too, what became of that one. Null if the call was not
 * missed, or if it is too old to be in the list of people to call back and no one has called back.
 */
export async function missedState(call: CallRecord, workspace: Workspace, deps: Deps): Promise<MissedState | null> {
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
