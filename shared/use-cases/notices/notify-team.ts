import { definedFields } from '../../domain/kernel/defined-fields.ts';
import { TIMED_BY_MESSAGE_MS } from '../../domain/kernel/wake-up.ts';
import { chatRecipient } from '../../domain/notices/failing-recipient.ts';
import {
	type AboutHandover,
	claimNotice,
	finishNotice,
	isNoticeDue,
	noticeAfterFailure,
	type TeamNotice,
} from '../../domain/notices/team-notice.ts';
import { localeOf } from '../../domain/workspaces/language.ts';
import { teamWebhookOwner } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { NoticeMessage } from '../../ports/registry.ts';
import type { Write } from '../../ports/store.ts';
import type { Addressee, NotifyOutcome, TeamNotifier } from '../../ports/team-notifier.ts';
import type { SecretVault } from '../../ports/vault.ts';
import { delaySeconds } from '../webhooks/event-outbox.ts';
import { noteMail, unsentCode } from './blocked-address.ts';
import { planEndpoint } from './endpoint-notice.ts';
import { noteRecipient } from './failing-recipient.ts';
import { planLead } from './lead-notice.ts';
import { planMissedCalls } from './missed-call-notice.ts';
import { noticeMessage } from './new-notices.ts';
import type { NoticePlan } from './notice-plan.ts';
import { planSecret } from './secret-notice.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock' | 'ids' | 'log'> & {
	/** Sends mail. Null if no sender is configured. */
	readonly notifier: TeamNotifier | null;
	/** Posts to the workspace's `team_webhook`, whose URL the vault decrypts. */
	readonly chat: TeamNotifier;
	readonly vault: Pick<SecretVault, 'openSecret'>;
	/** The URL of the API, ending in /v1. */
	readonly link_base_url: string;
	readonly schedule_seconds: readonly number[];
	/**
	 * Plans the message about a handover of a desk. This function is passed in, because this folder must not import the
	 * desk's folder.
	 */
	readonly planHandover: (notice: AboutHandover) => Promise<NoticePlan>;
};

/**
 * Tries once to notify the team: claims the notice, sends the message, and records the result. The store refuses the claim
 * if the notice's version has changed. So if the queue holds several requests for the same notice, the notice is sent only
 * once. A request that comes too early is dropped, because the sweep queues the notice when it is due. A failure of the mail
 * service or the chat is a normal result: the time of the next try is stored before this function ends.
 */
export async function notifyTeam(message: NoticeMessage, deps: Deps): Promise<void> {
	const { store, clock, schedule_seconds } = deps;
	const notice = await store.get('team_notice', { id: message.notice_id });
	if (notice === null || !isNoticeDue(notice, clock.now())) return;
	const notifier = notice.channel === 'chat' ? deps.chat : deps.notifier;
	if (notifier === null) return end(notice, 'canceled', 'no_sender', deps);
	const plan = await planOf(notice, deps);
	if (!plan.tell) return end(notice, plan.status, plan.code, deps);
	const addressee = await addresseeOf(notice, deps);
	if (addressee === null) return end(notice, 'canceled', 'not_wanted', deps);
	// The final try of the schedule crashed, so it is not known whether the message was sent.
	if (notice.attempt_count >= schedule_seconds.length) return end(notice, 'failed', 'crashed', deps);
	const claimedNotice = claimNotice(notice, clock.now());
	const { committed } = await store.commit([putNotice(claimedNotice, notice.version), ...plan.writes]);
	// Either another process has claimed the notice, or the lead's notice for the other channel has changed the link that
	// both notices share. Read again.
	if (!committed) return notifyTeam(message, deps);
	const { chat, ...to } = addressee;
	const beganMs = performance.now();
	const outcome = await notifier.tell({ ...to, ...plan.about });
	await record(claimedNotice, outcome, Math.round(performance.now() - beganMs), deps);
	const about = noticeLine(claimedNotice);
	if (chat === null) await noteMail(to.to, outcome, about, deps);
	else await noteRecipient(chat, outcome, about, deps);
}

async function planOf(notice: TeamNotice, deps: Deps): Promise<NoticePlan> {
	if (notice.missed !== undefined) return planMissedCalls(notice, deps);
	if (notice.made !== undefined) return planSecret(notice, deps);
	if (notice.handover !== undefined) return deps.planHandover(notice);
	if (notice.test !== undefined) return { tell: true, about: { test: notice.test }, writes: [] };
	return notice.endpoint === undefined ? planLead(notice, deps) : planEndpoint(notice, deps);
}

/**
 * The recipient: the person that the notice names, or the team. Null if the team has no address for this channel. `chat` is
 * a name for the chat that does not show the chat's URL. For a mail, `chat` is null.
 */
async function addresseeOf(
	{ workspace_id, channel, made, handover }: TeamNotice,
	{ store, vault }: Deps,
): Promise<(Addressee & { readonly chat: string | null }) | null> {
	const workspace = await store.get('workspace', { id: workspace_id });
	if (workspace === null) return null;
	const { id, team_email, team_webhook, name: workspace_name } = workspace;
	const sealedAddress = channel === 'chat' ? team_webhook?.sealed : undefined;
	const to =
		sealedAddress === undefined
			? (made?.owner ?? handover?.to ?? team_email)
			: await vault.openSecret(sealedAddress, teamWebhookOwner(id));
	if (!to || (channel === 'chat' && sealedAddress === undefined)) return null;
	return {
		to,
		workspace_name,
		locale: localeOf(workspace),
		chat: channel === 'chat' ? chatRecipient(workspace) : null,
	};
}

function putNotice(item: TeamNotice, version: number): Write {
	return { op: 'put', record: 'team_notice', item, guard: { if: 'version', version } };
}

/** Stores the result of a try. `durationMs` is how long the request to the mail service or the chat took. */
async function record(
	claimedNotice: TeamNotice,
	outcome: NotifyOutcome,
	durationMs: number,
	deps: Deps,
): Promise<void> {
	switch (outcome.notified) {
		case 'sent':
			return end(claimedNotice, 'sent', 'sent', deps, durationMs);
		case 'blocked':
		case 'refused':
			return end(claimedNotice, 'failed', unsentCode(outcome), deps, durationMs);
		case 'failed':
			return tryAgain(claimedNotice, outcome.code, durationMs, deps);
	}
}

async function tryAgain(claimedNotice: TeamNotice, code: string, duration_ms: number, deps: Deps): Promise<void> {
	const { store, queues, clock, log, schedule_seconds } = deps;
	const nowMs = clock.now();
	const next = noticeAfterFailure(claimedNotice, nowMs, schedule_seconds);
	if (next.status !== 'pending') return end(claimedNotice, 'failed', code, deps, duration_ms);
	const { next_attempt_at } = next;
	const line = { ...noticeLine(claimedNotice), outcome: 'retry', code, duration_ms };
	log.warn('notice', { ...line, ...(next_attempt_at !== null && { next_attempt_at }) });
	const outcome = await store.commit([putNotice(next, claimedNotice.version)]);
	const waitMs = Date.parse(next.next_attempt_at ?? '') - nowMs;
	if (!outcome.committed || waitMs > TIMED_BY_MESSAGE_MS) return;
	await queues.send('team-notices', [noticeMessage(claimedNotice, delaySeconds(waitMs))]);
}

/**
 * Ends a notice. If the notice has failed, this function first sends a message with the notice's id to the dead-letter
 * queue. If that queue does not accept the message, the notice stays as it is, and the sweep queues the notice again.
 */
async function end(
	notice: TeamNotice,
	status: Exclude<TeamNotice['status'], 'pending'>,
	code: string,
	{ store, queues, log }: Deps,
	duration_ms?: number,
): Promise<void> {
	if (status === 'failed') {
		const { sent } = await queues.send('dead-letters', [noticeMessage(notice)]);
		if (sent === 0) return;
	}
	const outcome = await store.commit([putNotice(finishNotice(notice, status), notice.version)]);
	if (!outcome.committed) return;
	const line = { ...noticeLine(notice), outcome: status, ...definedFields({ duration_ms }) };
	if (status === 'sent') return log.info('notice', line);
	log.warn('notice', { ...line, code });
}

function noticeLine(notice: TeamNotice) {
	const { workspace_id, channel, attempt_count: attempt } = notice;
	return { ...subjectOf(notice), workspace_id, channel, attempt };
}

function subjectOf(notice: TeamNotice) {
	if (notice.missed !== undefined) return { event: 'missed_calls', count: notice.missed.call_ids.length };
	if (notice.made !== undefined) return { event: notice.made.what };
	if (notice.handover !== undefined) return { event: notice.handover.change };
	if (notice.test !== undefined) return { event: 'test' };
	if (notice.endpoint === undefined) return { lead_id: notice.lead_id };
	return { endpoint_id: notice.endpoint.endpoint_id, event: notice.endpoint.fact };
}
