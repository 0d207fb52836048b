import { isMissed } from '../../domain/calls/call.ts';
import type { CallRecord } from '../../domain/calls/call-record.ts';
import { formatToken } from '../../domain/kernel/link-token.ts';
import { callOwner, leadOwner } from '../../domain/kernel/phone-number.ts';
import type { CallbackLead } from '../../domain/leads/callback-lead.ts';
import {
	type CallbackLink,
	endOfSecret,
	handledLink,
	reopenedLink,
	withSecret,
} from '../../domain/notices/callback-link.ts';
import type { Ports } from '../../ports/ports.ts';
import { suppressHash } from '../calls/suppress-number.ts';
import { asRead, change, putNext } from '../kernel/unit-of-work.ts';
import { type NotNow, type Waiting, waitingCall, waitingLead } from './to-call-back.ts';

// What a person at the desk can do with a call or a callback lead.

type Deps = Pick<Ports, 'store' | 'clock'>;
type Done = { readonly done: true };
type Link = { readonly link: string };
type Refused = { readonly refused: 'not_found' | NotNow };
type Contact = { readonly of: 'call' | 'callback_lead'; readonly id: string };

/**
 * Makes a one-time link for a waiting lead or a missed call, and returns the link's path relative to a page of the desk. The
 * link is valid for a few minutes. The link's page rings a member and then the visitor. Once one link of a lead or missed
 * call is used, its other links no longer work. `pressed` is the link's secret. The button of a page has the same secret each
 * time it is pressed, so pressing it twice leads to the same link. Each newly loaded page has a new secret. So if the call
 * back has ended and the visitor may be called once more, a newly loaded page makes a new link.
 */
export async function callBack(
	workspaceId: string,
	contact: Contact,
	pressed: Uint8Array,
	deps: Deps,
): Promise<Link | Refused> {
	const { store, clock } = deps;
	return change<Waiting | null, Link | Refused>(
		{
			read: () => readWaiting(workspaceId, contact, deps),
			decide: (waiting) => {
				if (waiting === null) return { result: { refused: 'not_found' } };
				const { link, refused } = waiting;
				const result = { link: `../../callback-links/${formatToken(contact.id, pressed)}` };
				if (link !== null && endOfSecret(link, pressed) !== null) return { result };
				if (refused !== null) return { result: { refused } };
				const item = withSecret(link, aboutLink(waiting), pressed, clock.now(), 'desk', lastOf(waiting));
				return { result, writes: { link: { op: 'put', record: 'callback_link', item, guard: asRead(link) } } };
			},
		},
		store,
	);
}

/** Takes a missed call off the list of people to call back, because no call back is needed any more. */
export async function handleMissed(workspaceId: string, id: string, deps: Deps): Promise<Done | Refused> {
	return change<Waiting | null, Done | Refused>(
		{
			read: () => readWaiting(workspaceId, { of: 'call', id }, deps),
			decide: (waiting) => {
				if (waiting === null) return { result: { refused: 'not_found' } };
				const item = handledLink(waiting.link, aboutLink(waiting), deps.clock.now());
				const link = { op: 'put', record: 'callback_link', item, guard: asRead(waiting.link) } as const;
				return { result: { done: true }, writes: { link } };
			},
		},
		deps.store,
	);
}

/**
 * Puts a missed call back on the list after it was marked as handled. The mark does not change how long the call stays on
 * the list.
 */
export async function reopenMissed(workspaceId: string, id: string, { store }: Deps): Promise<Done | Refused> {
	return change<CallbackLink | null, Done | Refused>(
		{
			read: () => store.get('callback_link', { lead_id: id }),
			decide: (before) => {
				if (before?.workspace_id !== workspaceId || before.of !== 'call') return { result: { refused: 'not_found' } };
				if (before.handled_at === undefined) return { result: { done: true } };
				const link = putNext('callback_link', reopenedLink(before));
				return { result: { done: true }, writes: { link } };
			},
		},
		store,
	);
}

/**
 * A missed call or a lead of this workspace, and whether its visitor can be called back now. Null if there is no such call
 * or lead, or if the missed call no longer waits for a call back. A lead that was handled or dismissed counts as
 * `not_callable`.
 */
async function readWaiting(workspaceId: string, { of, id }: Contact, deps: Deps): Promise<Waiting | null> {
	if (of === 'call') {
		const call = await deps.store.get('call', { id });
		return call?.workspace_id === workspaceId && isMissed(call) ? waitingCall(call, deps) : null;
	}
	const lead = await deps.store.get('callback_lead', { id });
	if (lead?.workspace_id !== workspaceId) return null;
	const waiting = await waitingLead(lead, deps);
	return lead.status === 'pending' ? waiting : { ...waiting, refused: waiting.refused ?? 'not_callable' };
}

const aboutLink = ({ of, asked: { id: lead_id, workspace_id } }: Waiting) =>
	of === 'call' ? { lead_id, workspace_id, of } : { lead_id, workspace_id };

const lastOf = (waiting: Waiting): number =>
	waiting.of === 'call' ? Date.parse(waiting.asked.call_back_until ?? '') : Infinity;

/** Suppresses the number of a call or a lead by the hash in its record. The number is neither decrypted nor shown. */
export async function doNotCall(workspaceId: string, { of, id }: Contact, deps: Deps): Promise<Done | Refused> {
	const item = await deps.store.get(of, { id });
	if (item?.workspace_id !== workspaceId) return { refused: 'not_found' };
	if (item.number_hash === undefined) return { refused: 'not_callable' };
	await suppressHash(item.number_hash, ownersOf(item), deps);
	return { done: true };
}

/**
 * The owners under which the number may be stored in encrypted form: this call or lead and, for a call back, also the
 * request that it answers.
 */
function ownersOf(item: CallRecord | CallbackLead): readonly string[] {
	if (!('legs' in item)) return [leadOwner(item.id)];
	const { id, lead_id, calls_back } = item;
	const answered = [lead_id !== undefined && leadOwner(lead_id), calls_back !== undefined && callOwner(calls_back)];
	return [callOwner(id), ...answered.flatMap((owner) => owner || [])];
}
