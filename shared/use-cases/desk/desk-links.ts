import { countIn, periodAt, type WindowRefusal, windowRefusal } from '../../domain/access/rate-limit.ts';
import {
	type DeskLink,
	type DeskMailbox,
	deskLinkAfterUse,
	isAskedBy,
	isEndedBy,
	mailboxAfterUse,
	newDeskLink,
} from '../../domain/desk/desk-link.ts';
import { newSession } from '../../domain/desk/session-cookie.ts';
import { formatSecret, hashOf, parseSecret, SECRET_BYTES } from '../../domain/kernel/link-token.ts';
import { accepted, deskAddress, MOST_DESK_PEOPLE } from '../../domain/workspaces/desk-person.ts';
import { isEmailAddress, mailboxOf } from '../../domain/workspaces/email-address.ts';
import { type Language, localeOf } from '../../domain/workspaces/language.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import { errorFields } from '../../ports/log-redaction.ts';
import type { Ports } from '../../ports/ports.ts';
import { QueueBusy } from '../../ports/queues.ts';
import type { DeskLinkMessage } from '../../ports/registry.ts';
import type { Write } from '../../ports/store.ts';
import type { TeamNotifier } from '../../ports/team-notifier.ts';
import { addressHash } from '../access/keyed-hash.ts';
import { asRead, change, type Proposal, putNext } from '../kernel/unit-of-work.ts';
import { noteMail, unsentCode } from '../notices/blocked-address.ts';
import { auditEntry } from './audit-entry.ts';
import { desksOf, hasJoined, personIn } from './desks-of.ts';
import { endSession, visitWrite } from './enter-desk.ts';
import {
	type DeskLinkRefusal,
	findPurpose,
	isAskedOf,
	type LinkWithPurpose,
	type PurposeDeps,
	type ServedLink,
	serve,
} from './link-purposes.ts';

// A link to the desk: a person asks for it, a worker mails it, and a button on the link's page begins a session.

type Reading = Pick<Ports, 'store' | 'clock'>;
type Counting = Reading & Pick<Ports, 'macs'>;
type Asking = Counting & Pick<Ports, 'queues'>;
/** A link that opens desks. `is_asker`: whether the browser that opens the link is the browser that asked for it. */
export type OpenDeskLink = {
	readonly link: DeskLink;
	readonly mailbox: DeskMailbox | null;
	readonly workspaces: readonly Workspace[];
	readonly is_asker: boolean;
};
const WINDOW_SECONDS = 600;
/**
 * The limits. `asked`: how many links one IP address may ask for in a window of `WINDOW_SECONDS`. `wrong`: how many wrong
 * links one IP address may open in a window. `mails` and `mails_a_day`: how many mails of one kind a mailbox may get in a
 * window and in a day. `invitations_a_day`: how many invitations one desk may send in a day, and how many times it may
 * change its address for messages in a day.
 */
const MOST = { asked: 10, wrong: 30, mails: 3, mails_a_day: 12, invitations_a_day: MOST_DESK_PEOPLE } as const;

/**
 * Asks for a link by mail. Null if the request was accepted. The result and the work are the same for known and unknown
 * addresses, because a worker looks up the address later. The result is also the same for a mailbox that has had too many
 * mails, and for a text that is not a mail address. `asked_by` is the hash of the browser's secret, if a browser asks.
 * `language` is the language of the browser's page. A mail that names no desk is written in that language.
 */
export async function askForLink(
	typed: string,
	sourceIp: string,
	deps: Asking,
	asked_by?: string,
	language?: Language,
): Promise<WindowRefusal | null> {
	const refusal = await countTry('asked', sourceIp, deps);
	const message = { address: deskAddress(typed), reason: 'sign_in', asked_by, language } as const;
	if (refusal === null && isEmailAddress(message.address) && (await mayMail(message, deps)))
		await sendLink(message, deps);
	return refusal;
}

/**
 * Counts one more try of an IP address against a limit. The limits are so high that only a person who guesses links or annoys
 * others reaches them. Null if this IP address may continue.
 */
export async function countTry(
	what: 'asked' | 'wrong',
	sourceIp: string,
	deps: Counting,
): Promise<WindowRefusal | null> {
	const { macs, clock, store } = deps;
	const window = periodAt(WINDOW_SECONDS, clock.now());
	const address = await addressHash(macs, 'desk', sourceIp);
	const { counted } = await store.count(countIn(window, `desk-${what}-address#${address}`, { used: MOST[what] }));
	return counted ? null : windowRefusal(clock.now());
}

/**
 * Counts one more mail of this kind to the mailbox. False if the mailbox has had too many mails of this kind. Invitations
 * and sign-in mails are counted separately. So strangers who ask for links cannot use up the invitations.
 */
async function mayMail({ address, reason }: DeskLinkMessage, { store, clock }: Reading): Promise<boolean> {
	const day = periodAt(24 * 3600, clock.now());
	const window = periodAt(WINDOW_SECONDS, clock.now()).begins.slice(11);
	const limits = { used: MOST.mails_a_day, [window]: MOST.mails };
	const mailbox = hashOf(Buffer.from(mailboxOf(address)));
	return (await store.count(countIn(day, `desk-${reason}#${mailbox}`, limits))).counted;
}

/**
 * Counts one more invitation by a person of a desk against the limits. The limits keep a thief with a stolen session from
 * writing to many strangers. Null if the invitation may be sent.
 */
export async function countInvitation(
	message: Extract<DeskLinkMessage, { readonly reason: 'invitation' }>,
	deps: Reading,
): Promise<'invited_enough' | 'desk_invited_enough' | null> {
	if (!(await mayMail(message, deps))) return 'invited_enough';
	return countOfDesk('invitations', message.workspace_id, deps);
}

/**
 * Counts one more change of the address that gets the team's messages. Such changes are limited because each change sends a
 * mail to the old recipients.
 */
export const countHandover = (workspaceId: string, deps: Reading): Promise<'desk_invited_enough' | null> =>
	countOfDesk('handovers', workspaceId, deps);

async function countOfDesk(
	what: 'invitations' | 'handovers',
	workspaceId: string,
	{ store, clock }: Reading,
): Promise<'desk_invited_enough' | null> {
	const day = periodAt(24 * 3600, clock.now());
	const limits = { used: MOST.invitations_a_day };
	const { counted } = await store.count(countIn(day, `desk-${what}#${workspaceId}`, limits));
	return counted ? null : 'desk_invited_enough';
}

/**
 * How many times the service tries to send a message to the queue. Each try ends after a second and a half at the latest,
 * because a person waits for the answer.
 */
const TRIES_TO_QUEUE = 4;

/**
 * Asks the worker to mail a link. Throws `QueueBusy` if the queue does not accept the message, because no record exists from
 * which the sweep could send the message later.
 */
export async function sendLink(message: DeskLinkMessage, { queues }: Pick<Ports, 'queues'>): Promise<void> {
	for (let attempt = 0; attempt < TRIES_TO_QUEUE; attempt += 1) {
		const { failed } = await queues.send('team-notices', [{ message, delay_seconds: 0, group: null }]);
		if (failed === 0) return;
	}
	throw new QueueBusy('no link was queued');
}

type Mailing = Reading &
	Pick<Ports, 'ids' | 'log' | 'queues'> & {
		/** Sends mail. Null if no sender is configured. */
		readonly notifier: TeamNotifier | null;
		/** The URL of the API, ending in /v1. */
		readonly link_base_url: string;
	};

/**
 * The least number of seconds between a failed try and the next try. The real wait is up to twice as long, so that mails
 * that were throttled together are spread out: a new SES account sends one mail a second. The last try is made while a
 * person who wants to sign in is probably still waiting.
 */
export const MAIL_DELAYS_SECONDS: readonly number[] = [2, 4, 8, 20, 60, 120];

/**
 * Tries once to mail a link to an address that belongs to a desk. For an invitation, the address must still be invited to
 * that desk. If the link asks the address to agree to the workspace's messages, the workspace must still wait for that
 * consent. After a failure, the queue delivers the message again later. At worst, a person gets several links, and each of
 * them works. If all tries fail, the log says so, and the person has to ask for a link again.
 */
export async function mailLink(message: DeskLinkMessage, deps: Mailing): Promise<void> {
	const { failed_tries = 0 } = message;
	const leastSeconds = MAIL_DELAYS_SECONDS[failed_tries];
	const isLast = leastSeconds === undefined;
	try {
		if (await mailOnce(message, deps, isLast)) return;
	} catch (error) {
		if (isLast) return giveUp(error, message.address, deps);
		deps.log.warn('desk link', { outcome: 'retry', attempt: failed_tries + 1, ...errorFields(error) });
	}
	const random = (deps.ids.random(1)[0] ?? 0) / 256;
	const delay_seconds = Math.ceil((leastSeconds ?? 0) * (1 + random));
	const later = { message: { ...message, failed_tries: failed_tries + 1 }, delay_seconds, group: null };
	const { failed } = await deps.queues.send('team-notices', [later]);
	// If this throws, SQS delivers the message again after some minutes.
	if (failed > 0) throw new QueueBusy('no link was queued');
}

/**
 * Called when the last try fails because of an error in the service. Stores the failure for the desk and throws the error
 * again, so that SQS delivers the message again and in the end moves it to the dead-letter queue.
 */
async function giveUp(error: unknown, address: string, deps: Mailing): Promise<never> {
	// The error that made the last try fail may also keep this record from being stored.
	await noteMail(address, { notified: 'failed', code: 'crashed' }, {}, deps).catch(() => undefined);
	throw error;
}

/** Stores a link, then mails it. False if the mail failed and another try will follow. */
async function mailOnce(request: DeskLinkMessage, deps: Mailing, isLast: boolean): Promise<boolean> {
	const { store, log, notifier } = deps;
	const { address } = request;
	const [workspace, ...others] = await addressedBy(request, store);
	if (workspace === undefined) {
		log.info('desk link', { outcome: 'no_desk' });
		return true;
	}
	const about = { workspace_id: workspace.id };
	const attempt = (request.failed_tries ?? 0) + 1;
	const beganMs = performance.now();
	const secret = deps.ids.random(SECRET_BYTES);
	const item = newDeskLink(request, secret, deps.clock.now());
	const outcome = await store.commit([{ op: 'put', record: 'desk_link', item, guard: { if: 'absent' } }]);
	if (!outcome.committed) throw new Error('a fresh link was taken');
	const desk_link = { url: `${deps.link_base_url}/desk/links/${formatSecret(secret)}`, expires_at: item.expires_at };
	const mail = { to: address, desk_link, ...wordsOf(request, [workspace, ...others]) };
	const notification = (await notifier?.tell(mail)) ?? ({ notified: 'refused', code: 'no_sender' } as const);
	const line = { ...about, attempt, duration_ms: Math.round(performance.now() - beganMs) };
	if (notification.notified === 'failed' && !isLast) {
		log.warn('desk link', { ...line, outcome: 'retry', code: notification.code });
		return false;
	}
	if (notification.notified === 'sent') log.info('desk link', { ...line, outcome: 'sent' });
	else log.warn('desk link', { ...line, outcome: 'failed', code: unsentCode(notification) });
	try {
		await noteMail(address, notification, about, deps);
	} catch (error) {
		// If the mail was sent, the person has the link. Another try would mail a second link.
		if (notification.notified !== 'sent') throw error;
		log.error('message failed', { operation: 'notify-team', ...errorFields(error) });
	}
	return true;
}

/**
 * The workspaces that the mail is about. A mail to sign in is about all workspaces whose desk the address may open. Every
 * other mail is about one workspace. The result is empty if the address is no longer invited to the desk of this workspace,
 * or if the workspace no longer waits for the address to agree to the workspace's messages.
 */
async function addressedBy(request: DeskLinkMessage, store: Ports['store']): Promise<readonly Workspace[]> {
	if (request.reason === 'sign_in') return desksOf(request.address, null, store);
	const { address, workspace_id, purpose } = request;
	if (purpose === undefined) return desksOf(address, workspace_id, store);
	const workspace = await store.get('workspace', { id: workspace_id });
	return workspace !== null && isAskedOf(workspace, address) ? [workspace] : [];
}

/**
 * The content of a mail. A sign-in mail names a desk only if the person has joined exactly one desk. A sign-in mail must
 * not contain the name of a desk that has only invited the person.
 */
function wordsOf(request: DeskLinkMessage, workspaces: readonly [Workspace, ...Workspace[]]) {
	const { address, reason } = request;
	const [first] = workspaces;
	if (reason === 'invitation') {
		const { purpose, invited_by: by = null } = request;
		if (purpose !== undefined) return { ...signatureOf(first), reason: purpose, invited: { role: null, by } };
		const person = personIn(first, address);
		return { ...signatureOf(first), reason, ...(person && { invited: { role: person.role, by } }) };
	}
	const joined = workspaces.filter((workspace) => hasJoined(workspace, address));
	const [only] = joined;
	if (only !== undefined && joined.length === 1) return { ...signatureOf(only), reason };
	const own = new Set(joined.map(({ language }) => language));
	const language = (own.size === 1 ? only?.language : undefined) ?? request.language ?? 'en';
	return { workspace_name: '', locale: { language, time_zone: only?.time_zone ?? 'UTC' }, team_email: null, reason };
}

const signatureOf = (workspace: Workspace) => ({
	workspace_name: workspace.name,
	locale: localeOf(workspace),
	team_email: workspace.team_email,
});

/**
 * Finds the link of a token. This changes nothing, because programs such as mail scanners also open links. A link has ended
 * once the person with its address has used another link that was mailed later or at the same time. A link does not open a
 * desk from which the person was removed, or at which the person's sessions were ended after the link was mailed. The
 * browser that asked for a link can use it again. `browser` is the hash of the browser's secret, or null if the browser has
 * no secret. The desks that the person has joined come first in the result.
 */
export async function findDeskLink(
	token: string,
	{ store, clock }: Reading,
	browser: string | null = null,
): Promise<OpenDeskLink | LinkWithPurpose | DeskLinkRefusal> {
	const secret = parseSecret(token);
	const link = secret === null ? null : await store.get('desk_link', { id: hashOf(secret) });
	if (link === null) return { refused: 'link_not_valid' };
	const is_asker = isAskedBy(link, browser);
	if (link.used_at !== null && !is_asker) return { refused: 'link_used', session_id: link.session_id };
	if (Date.parse(link.expires_at) <= clock.now()) return { refused: 'link_expired' };
	if (link.purpose !== undefined) return findPurpose(link, link.purpose, { store, clock });
	const mailbox = await store.get('desk_mailbox', { address: link.address });
	if (isEndedBy(link, mailbox)) return { refused: 'link_expired' };
	const desks = await desksOf(link.address, link.invited_to, store);
	const isOpen = ({ desk }: Workspace): boolean =>
		desk.some(({ address, sessions_from }) => address === link.address && sessions_from <= link.created_at);
	const open = desks.filter(isOpen);
	const isJoined = (workspace: Workspace): boolean => hasJoined(workspace, link.address);
	const workspaces = [...open.filter(isJoined), ...open.filter((workspace) => !isJoined(workspace))];
	if (workspaces.length > 0) return { link, mailbox, workspaces, is_asker };
	return { refused: desks.length === 0 ? 'link_not_valid' : 'link_expired' };
}

export type DeskOpened =
	| { readonly secret: Uint8Array }
	/** The link had another purpose than opening a desk, and that purpose was carried out. */
	| ServedLink;

/**
 * Uses a link and begins a session at the desk of one of its workspaces, in one transaction. The transaction also ends all
 * links that were mailed to the address before this use. If two requests use the link at the same time, only one of them
 * gets a session. Using the link accepts the invitation to that desk. If the link has another purpose than opening a desk,
 * it serves that purpose instead, and no session begins. If the browser that asked for the link uses it again, the session
 * of its earlier use ends. Returns the secret for the cookie. The table contains only the secret's hash.
 */
export function openDesk(
	token: string,
	workspaceId: string,
	deps: Reading & PurposeDeps,
	browser: string | null = null,
): Promise<DeskOpened | DeskLinkRefusal> {
	return change<OpenDeskLink | LinkWithPurpose | DeskLinkRefusal, DeskOpened | DeskLinkRefusal>(
		{
			read: () => findDeskLink(token, deps, browser),
			decide: (state) => {
				if ('refused' in state) return { result: state };
				return 'purpose' in state ? serve(state, workspaceId, deps) : begin(state, workspaceId, deps);
			},
		},
		deps.store,
	);
}

function begin(
	{ link, mailbox, workspaces, is_asker }: OpenDeskLink,
	workspace_id: string,
	deps: Pick<Ports, 'ids' | 'clock'>,
): Proposal<DeskOpened | DeskLinkRefusal> {
	const workspace = workspaces.find(({ id }) => id === workspace_id);
	if (workspace === undefined) return { result: { refused: 'link_not_valid' } };
	const nowMs = deps.clock.now();
	const secret = deps.ids.random(SECRET_BYTES);
	const who = { workspace_id, address: link.address };
	const hasOthers = workspaces.some(({ id, ...each }) => id !== workspace_id && hasJoined(each, link.address));
	const session = newSession(secret, who, nowMs, { isAsker: is_asker, anyDesk: link.invited_to === null && hasOthers });
	const { session_id: earlier } = link;
	return {
		result: { secret },
		writes: {
			link: { op: 'put', record: 'desk_link', item: deskLinkAfterUse(link, session.id, nowMs), guard: asRead(link) },
			mailbox: putNext('desk_mailbox', mailboxAfterUse(mailbox, link.address, nowMs)),
			session: { op: 'put', record: 'desk_session', item: session, guard: asRead(null) },
			visit: visitWrite(who, nowMs),
			earlier: earlier === undefined ? [] : [endSession(earlier)],
			workspace: hasJoined(workspace, link.address) ? [] : [join(workspace, link.address)],
			entry: auditEntry({ ...who, change: 'signed_in', about: null }, deps),
		},
		// Another request was faster. That request used this link, or used another link of the address and so ended this
		// link.
		refusals: { link: { refused: 'link_used' }, mailbox: { refused: 'link_used' } },
	};
}

/** Records that the person has accepted the invitation. */
function join(workspace: Workspace, address: string): Write {
	const desk = workspace.desk.map((person) => (person.address === address ? accepted(person) : person));
	const item = { ...workspace, version: workspace.version + 1, desk };
	return { op: 'put', record: 'workspace', item, guard: asRead(workspace) };
}
