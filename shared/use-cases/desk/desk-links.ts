import {
	type DeskLink,
	type DeskMailbox,
	isAskedBy,
	isEndedBy,
	linkAfterUse,
	mailboxAfterUse,
	newDeskLink,
} from '../../domain/desk/desk-link.ts';
import { newSession } from '../../domain/desk/session-cookie.ts';
import { formatSecret, hashOf, parseSecret, SECRET_BYTES } from '../../domain/kernel/link-token.ts';
import { deskAddress, MOST_DESK_PEOPLE } from '../../domain/workspaces/desk-person.ts';
import { isEmailAddress, mailboxOf } from '../../domain/workspaces/email-address.ts';
import { localeOf } from '../../domain/workspaces/language.ts';
import { countIn, periodAt, type WindowRefusal, windowRefusal } from '../../domain/workspaces/rate-limit.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { QueueBusy } from '../../ports/queues.ts';
import type { DeskLinkMessage } from '../../ports/registry.ts';
import type { TeamNotifier } from '../../ports/team-notifier.ts';
import { asRead, putNext } from '../kernel/unit-of-work.ts';
import { noteMail, unsentCode } from '../leads/blocked-address.ts';
import { addressHash } from '../workspaces/keyed-hash.ts';
import { auditEntry, endSession } from './enter-desk.ts';

// A link to the desk: a person asks for it, a worker mails it, and it begins a session.

type Reading = Pick<Ports, 'store' | 'clock'>;
type Counting = Reading & Pick<Ports, 'macs'>;
type Asking = Counting & Pick<Ports, 'queues'>;
/** A link that opens desks. `is_asker`: this browser asked for it. */
export type OpenDeskLink = {
	readonly link: DeskLink;
	readonly mailbox: DeskMailbox | null;
	readonly workspaces: readonly Workspace[];
	readonly is_asker: boolean;
};
type LinkRefusal =
	| { readonly refused: 'link_not_valid' | 'link_expired' }
	/** `session_id`: the session that the use began; absent: an earlier release did not store it. */
	| { readonly refused: 'link_used'; readonly session_id?: string | undefined };

const WINDOW_SECONDS = 600;
/**
 * Links that are asked for and wrong links in a window from one address; mails of one kind in a window and a day to one
 * mailbox; invitations of one desk in a day.
 */
const MOST = { asked: 10, wrong: 30, mails: 3, mails_a_day: 12, invitations_a_day: MOST_DESK_PEOPLE } as const;

/**
 * Asks for a link by mail; null: it is asked for. The result and the work are the same for known and unknown addresses, because
 * a worker looks the address up later; the result is also the same for a mailbox that has had enough mails. `asked_by`: the hash
 * of the asking browser's secret, if a browser asks.
 */
export async function askForLink(
	typed: string,
	source_ip: string,
	deps: Asking,
	asked_by?: string,
): Promise<WindowRefusal | null> {
	const refusal = await countTry('asked', source_ip, deps);
	const message = { address: deskAddress(typed), reason: 'sign_in', asked_by } as const;
	if (refusal === null && isEmailAddress(message.address) && (await mayMail(message, deps)))
		await sendLink(message, deps);
	return refusal;
}

/** Counts what only strangers do often; null: the address may go on. */
export async function countTry(
	what: 'asked' | 'wrong',
	source_ip: string,
	deps: Counting,
): Promise<WindowRefusal | null> {
	const { macs, clock, store } = deps;
	const window = periodAt(WINDOW_SECONDS, clock.now());
	const address = await addressHash(macs, 'desk', source_ip);
	const { counted } = await store.count(countIn(window, `desk-${what}-address#${address}`, { used: MOST[what] }));
	return counted ? null : windowRefusal(clock.now());
}

/** False: the mailbox had enough mails of this kind. Links that strangers ask for use up no invitations. */
async function mayMail({ address, reason }: DeskLinkMessage, { store, clock }: Reading): Promise<boolean> {
	const day = periodAt(24 * 3600, clock.now());
	const window = periodAt(WINDOW_SECONDS, clock.now()).begins.slice(11);
	const limits = { used: MOST.mails_a_day, [window]: MOST.mails };
	const mailbox = hashOf(Buffer.from(mailboxOf(address)));
	return (await store.count(countIn(day, `desk-${reason}#${mailbox}`, limits))).counted;
}

/** Counts one more invitation by a person of a desk, so that a stolen session cannot write to many strangers; null: it may. */
export async function countInvitation(
	message: Extract<DeskLinkMessage, { readonly reason: 'invitation' }>,
	deps: Reading,
): Promise<'invited_enough' | 'desk_invited_enough' | null> {
	if (!(await mayMail(message, deps))) return 'invited_enough';
	const day = periodAt(24 * 3600, deps.clock.now());
	const limits = { used: MOST.invitations_a_day };
	const { counted } = await deps.store.count(countIn(day, `desk-invitations#${message.workspace_id}`, limits));
	return counted ? null : 'desk_invited_enough';
}

/** Each gives up after a second and a half; a person waits for the answer. */
const TRIES_TO_QUEUE = 4;

/** Asks the worker to mail a link. Throws `QueueBusy` if the queue does not accept it: no sweep would find it. */
export async function sendLink(message: DeskLinkMessage, { queues }: Pick<Ports, 'queues'>): Promise<void> {
	for (let attempt = 0; attempt < TRIES_TO_QUEUE; attempt += 1) {
		const { failed } = await queues.send('team-notices', [{ message, delay_seconds: 0, group: null }]);
		if (failed === 0) return;
	}
	throw new QueueBusy('no link was queued');
}

type Mailing = Reading &
	Pick<Ports, 'ids' | 'log'> & {
		/** Sends mail; null if no sender is configured. */
		readonly notifier: TeamNotifier | null;
		/** The URL of the API, ending in /v1. */
		readonly link_base_url: string;
	};

/** SQS would deliver a message again only after minutes, and a person waits for the mail. */
const TRIES_TO_MAIL = 3;

/**
 * Mails a link to an address, if it belongs to a desk; to the desk of an invitation, if it still does. A failure is tried again at once: at worst, a person gets
 * two links. If all tries fail, the log says so, and the person asks for another one.
 */
export async function mailLink(message: DeskLinkMessage, deps: Mailing): Promise<void> {
	for (let attempt = 1; ; attempt += 1) {
		const isLast = attempt === TRIES_TO_MAIL;
		try {
			if (await mailOnce(message, deps, isLast)) return;
		} catch (error) {
			if (isLast) throw error;
		}
	}
}

/** Commits a link, then mails it. False: a failure that may pass, and not the last try. */
async function mailOnce(request: DeskLinkMessage, deps: Mailing, isLast: boolean): Promise<boolean> {
	const { store, log, notifier } = deps;
	const { address, reason } = request;
	const invitedTo = reason === 'invitation' ? request.workspace_id : null;
	const [workspace] = await desksOf(address, invitedTo, store);
	if (workspace === undefined) {
		log.info('no desk', {});
		return true;
	}
	const about = { workspace_id: workspace.id };
	const secret = deps.ids.random(SECRET_BYTES);
	const item = newDeskLink(request, secret, deps.clock.now());
	const outcome = await store.commit([{ op: 'put', record: 'desk_link', item, guard: { if: 'absent' } }]);
	if (!outcome.committed) throw new Error('a fresh link was taken');
	const desk_link = { url: `${deps.link_base_url}/desk/links/${formatSecret(secret)}`, expires_at: item.expires_at };
	const addressee = { to: address, workspace_name: workspace.name, locale: localeOf(workspace) };
	const person = workspace.desk.find((each) => each.address === address);
	const isInvited = reason === 'invitation' && person !== undefined;
	const invited = isInvited && { invited: { role: person.role, by: request.invited_by ?? null } };
	const mail = { ...addressee, team_email: workspace.team_email, reason, desk_link, ...invited };
	const notification = (await notifier?.tell(mail)) ?? ({ notified: 'refused', code: 'no_sender' } as const);
	if (notification.notified === 'failed' && !isLast) return false;
	if (notification.notified === 'sent') log.info('link mailed', about);
	else log.warn('no link mailed', { ...about, code: unsentCode(notification) });
	await noteMail(address, notification, about, deps);
	return true;
}

/** The workspaces that name this address among the people of their desk; `only`: at most this one, unless null. */
async function desksOf(address: string, only: string | null, store: Ports['store']): Promise<readonly Workspace[]> {
	const ids = only === null ? (await store.desksOf(address)).map(({ workspace_id }) => workspace_id) : [only];
	const workspaces = await Promise.all(ids.map((id) => store.get('workspace', { id })));
	return workspaces
		.filter((workspace) => workspace !== null)
		.filter(({ desk }) => desk.some((person) => person.address === address));
}

/**
 * Finds the link of a token. It changes nothing, because programs such as mail scanners also open links. A link has ended once
 * a later use of another one; and for a desk, once the person was removed from it or the person's sessions were ended. A link
 * that was used has not ended for the browser that asked for it. `browser`: the hash of the browser's secret; null: it has none.
 */
export async function findDeskLink(
	token: string,
	{ store, clock }: Reading,
	browser: string | null = null,
): Promise<OpenDeskLink | LinkRefusal> {
	const secret = parseSecret(token);
	const link = secret === null ? null : await store.get('desk_link', { id: hashOf(secret) });
	if (link === null) return { refused: 'link_not_valid' };
	const is_asker = isAskedBy(link, browser);
	if (link.used_at !== null && !is_asker) return { refused: 'link_used', session_id: link.session_id };
	if (Date.parse(link.expires_at) <= clock.now()) return { refused: 'link_expired' };
	const mailbox = await store.get('desk_mailbox', { address: link.address });
	if (isEndedBy(link, mailbox)) return { refused: 'link_expired' };
	const desks = await desksOf(link.address, link.invited_to, store);
	const isOpen = ({ desk }: Workspace): boolean =>
		desk.some(({ address, sessions_from }) => address === link.address && sessions_from <= link.created_at);
	const workspaces = desks.filter(isOpen);
	if (workspaces.length > 0) return { link, mailbox, workspaces, is_asker };
	return { refused: desks.length === 0 ? 'link_not_valid' : 'link_expired' };
}

/**
 * Uses up a link, with all that were mailed before, and begins a session at the desk of one of its workspaces, in one
 * transaction: of several uses, one wins. A later use by the browser that asked for the link ends the session that the earlier
 * one began.
 * Returns the secret for the cookie; the table has its hash.
 */
export async function openDesk(
	token: string,
	workspace_id: string,
	deps: Reading & Pick<Ports, 'ids'>,
	browser: string | null = null,
): Promise<{ readonly secret: Uint8Array } | LinkRefusal> {
	const state = await findDeskLink(token, deps, browser);
	if ('refused' in state) return state;
	const { link, mailbox, workspaces, is_asker } = state;
	if (workspaces.every(({ id }) => id !== workspace_id)) return { refused: 'link_not_valid' };
	const [now_ms, secret] = [deps.clock.now(), deps.ids.random(SECRET_BYTES)];
	const who = { workspace_id, address: link.address };
	const session = newSession(secret, who, now_ms, is_asker);
	const { session_id: earlier } = link;
	const outcome = await deps.store.commit([
		{ op: 'put', record: 'desk_link', item: linkAfterUse(link, session.id, now_ms), guard: asRead(link) },
		putNext('desk_mailbox', mailboxAfterUse(mailbox, link.address, now_ms)),
		{ op: 'put', record: 'desk_session', item: session, guard: asRead(null) },
		...(earlier === undefined ? [] : [endSession(earlier)]),
		auditEntry({ ...who, change: 'signed_in', about: null }, deps),
	]);
	return outcome.committed ? { secret } : { refused: 'link_used' };
}
