import { type Call, isMissed } from '../../domain/calls/call.ts';
import type { CallRecord } from '../../domain/calls/call-record.ts';
import { callOwner, leadOwner } from '../../domain/kernel/phone-number.ts';
import type { CallbackLead } from '../../domain/leads/callback-lead.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import type { Event } from '../../domain/webhooks/event.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Consent } from '../../ports/registry.ts';
import type { Store } from '../../ports/store.ts';
import { CALL_EVENTS, deliveriesOf, eventsOf, LEAD_EVENTS } from '../webhooks/subject-events.ts';
import { callsBack, isErased, isOfYesterday, type Waiting, waitingCall, waitingLead } from './to-call-back.ts';

type Deps = Pick<Ports, 'store' | 'clock'>;

/** A call or a callback lead that a person opens at the desk. */
export type Contact =
	| { readonly of: 'call'; readonly asked: CallRecord }
	| { readonly of: 'callback_lead'; readonly asked: CallbackLead };

/** A call or a lead with everything that belongs to it. */
export type ContactStory = Contact & {
	/**
	 * The request that this call was placed to answer. Null if the call is not a call back, or if the request no longer
	 * exists or its visitor's data was erased.
	 */
	readonly answers: Contact | null;
	readonly calls_back: readonly CallRecord[];
	/**
	 * The consent that the visitor gave. For a call back, this is the consent of the request that the call answers. Null if
	 * no consent is stored, or if this is a test call.
	 */
	readonly consent: Consent | null;
	/** What the team still has to do for this contact. Null if there is nothing to do. */
	readonly waiting: Waiting | null;
	/** Whether a person took the request off the list of people to call back, and can still put it back. */
	readonly is_taken_off: boolean;
	/** True if the number is on the suppression list. */
	readonly is_suppressed: boolean;
};

/** An event of a call or a lead, with its deliveries. */
export type SentEvent = { readonly event: Event; readonly deliveries: readonly Delivery[] };

/** The call or lead with this id. Null if the workspace has no such call or lead, or if the person's data was erased. */
async function findContact(workspaceId: string, of: Contact['of'], id: string, store: Store): Promise<Contact | null> {
	const found: Contact | null =
		of === 'call'
			? await store.get('call', { id }).then((asked) => asked && { of, asked })
			: await store.get('callback_lead', { id }).then((asked) => asked && { of, asked });
	return found?.asked.workspace_id === workspaceId && !isErased(found.asked) ? found : null;
}

/**
 * Reads a call or a lead with everything that its page shows. Null if the workspace has no such call or lead, or if the
 * person's data was erased.
 */
export async function readContactStory(
	workspace: Workspace,
	{ of, id }: { readonly of: Contact['of']; readonly id: string },
	deps: Deps,
): Promise<ContactStory | null> {
	const { store } = deps;
	const contact = await findContact(workspace.id, of, id, store);
	if (contact === null) return null;
	const { number_hash } = contact.asked;
	const [answers, { link, attempts }, waiting, usage] = await Promise.all([
		answeredBy(contact, store),
		callsBack(id, store),
		whatWaits(contact, workspace, deps),
		number_hash === undefined ? null : store.get('number_usage', { number_hash }),
	]);
	const consent = await consentOf(answers ?? contact, store);
	const is_taken_off =
		contact.of === 'call'
			? link?.handled_at !== undefined && isOfYesterday(contact.asked, workspace, deps.clock.now())
			: contact.asked.status !== 'pending';
	const is_suppressed = usage?.suppressed ?? false;
	return { ...contact, answers, calls_back: attempts, consent, waiting, is_taken_off, is_suppressed };
}

function answeredBy({ of, asked }: Contact, store: Store): Promise<Contact | null> | null {
	if (of !== 'call') return null;
	const { workspace_id, lead_id, calls_back } = asked;
	if (lead_id !== undefined) return findContact(workspace_id, 'callback_lead', lead_id, store);
	return calls_back === undefined ? null : findContact(workspace_id, 'call', calls_back, store);
}

/** The consent for a contact. The consent is stored with the request, so a call back has no consent of its own. */
function consentOf({ of, asked }: Contact, store: Store): Promise<Consent | null> | null {
	const { id, number_hash } = asked;
	if (number_hash === undefined || (of === 'call' && isCallBack(asked))) return null;
	return store.get('consent', { number_hash, subject: of === 'call' ? callOwner(id) : leadOwner(id) });
}

const isCallBack = ({ lead_id, calls_back }: Pick<Call, 'lead_id' | 'calls_back'>): boolean =>
	lead_id !== undefined || calls_back !== undefined;

function whatWaits({ of, asked }: Contact, workspace: Workspace, deps: Deps): Promise<Waiting | null> | null {
	if (of !== 'call') return asked.status === 'pending' ? waitingLead(asked, deps) : null;
	return isMissed(asked) && isOfYesterday(asked, workspace, deps.clock.now()) ? waitingCall(asked, deps) : null;
}

/** The events of a call or a lead with their deliveries. Only people who may see the developers' pages get these events. */
export async function sentEvents(
	{ of, asked }: Contact,
	{ store }: Pick<Deps, 'store'>,
): Promise<readonly SentEvent[]> {
	const events = await eventsOf(asked.id, of === 'call' ? CALL_EVENTS : LEAD_EVENTS, store);
	return Promise.all(events.map(async (event) => ({ event, deliveries: await deliveriesOf(event, store) })));
}
