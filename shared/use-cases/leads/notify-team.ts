import { TIMED_BY_MESSAGE_MS } from '../../domain/kernel/wake-up.ts';
import type { CallbackLead } from '../../domain/leads/callback-lead.ts';
import { type CallbackLink, formatToken, LINK_SECRET_BYTES, withSecret } from '../../domain/leads/callback-link.ts';
import {
	afterFailure,
	claimed,
	finished,
	isNoticeDue,
	type NoticeChannel,
	noticeId,
	type TeamNotice,
} from '../../domain/leads/team-notice.ts';
import { localeOf } from '../../domain/workspaces/language.ts';
import { teamWebhookOwner, type Workspace } from '../../domain/workspaces/workspace.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Log } from '../../ports/log.ts';
import { delaySeconds, type Outgoing, type Queues } from '../../ports/queues.ts';
import type { Messages } from '../../ports/registry.ts';
import type { Store, Write } from '../../ports/store.ts';
import type { LeadNotice, NotifyOutcome, TeamNotifier } from '../../ports/team-notifier.ts';
import type { SecretVault } from '../../ports/vault.ts';

type Deps = {
	readonly store: Store;
	readonly queues: Queues;
	readonly clock: Clock;
	readonly ids: Ids;
	readonly log: Log;
	/** By mail; null if no sender is set up: then no mail is sent. */
	readonly notifier: TeamNotifier | null;
	/** By a post to the workspace's `team_webhook`, whose URL the vault opens. */
	readonly chat: TeamNotifier;
	readonly vault: Pick<SecretVault, 'openSecret'>;
	/** Where the API is reached, ending in /v1. */
	readonly link_base_url: string;
	readonly schedule_seconds: readonly number[];
};

/** The message that asks for a try; fair between workspaces, so that a flood of leads in one holds up no other. */
export function noticeMessage(
	{ id, lead_id = id, channel, workspace_id: group }: Pick<TeamNotice, 'id' | 'lead_id' | 'channel' | 'workspace_id'>,
	delay_seconds = 0,
): Outgoing<Messages['team-notices']> {
	return { message: { lead_id, ...(channel && { channel }) }, delay_seconds, group };
}

/**
 * One try to tell the team of a lead: claim, send, record. The claim is a write under the notice's version, so of any
 * number of messages one sends; what is not due is dropped, for the sweep has what is still to come. A mail service
 * that fails is a normal result: the next try is in the table before this ends.
 */
export async function notifyTeam(message: Messages['team-notices'], deps: Deps): Promise<void> {
	const { store, clock, schedule_seconds } = deps;
	const { lead_id, channel = 'mail' } = message;
	const notifier = channel === 'mail' ? deps.notifier : deps.chat;
	const notice = await store.get('team_notice', { id: noticeId(lead_id, channel) });
	if (notice === null || !isNoticeDue(notice, clock.now())) return;
	const lead = await store.get('callback_lead', { id: lead_id });
	const workspace = await store.get('workspace', { id: notice.workspace_id });
	const about = await noticeOf(lead, workspace, channel, deps);
	if (notifier === null || about === null) {
		return end(notice, 'canceled', notifier === null ? 'no_sender' : 'not_wanted', deps);
	}
	// The last try crashed: it is unknown whether the message was sent.
	if (notice.attempt_count >= schedule_seconds.length) return end(notice, 'failed', 'crashed', deps);
	const link = await store.get('callback_link', { lead_id });
	// Its answer was lost, and yet it came: the team has called back meanwhile.
	if (link !== null && link.used_at !== null) return end(notice, 'sent', 'used', deps);
	const claim = await claimWithLink(notice, link, deps);
	// Another process holds the notice, or the lead's other notice has written the link they share: look again.
	if (claim === null) return notifyTeam(message, deps);
	const outcome = await notifier.tell({ ...about, link: claim.link });
	await record(claim.held, outcome, deps);
}

/**
 * The notice, held for one try, and a link for its message: its secret is committed, as a hash, before the message is
 * sent. Null if another process was faster.
 */
async function claimWithLink(notice: TeamNotice, before: CallbackLink | null, deps: Deps) {
	const { store, clock, ids, link_base_url } = deps;
	const now_ms = clock.now();
	const { id, lead_id = id, workspace_id, number_hash } = notice;
	const secret = ids.random(LINK_SECRET_BYTES);
	const item = withSecret(before, { lead_id, workspace_id, number_hash }, secret, now_ms);
	const guard = before === null ? ({ if: 'absent' } as const) : ({ if: 'version', version: before.version } as const);
	const held = claimed(notice, now_ms);
	const outcome = await store.commit([put(held, notice.version), { op: 'put', record: 'callback_link', item, guard }]);
	if (!outcome.committed) return null;
	const url = `${link_base_url}/callback-links/${formatToken(lead_id, secret)}`;
	return { held, link: { url, expires_at: item.expires_at } };
}

/** Whom to tell, and of what; null when the workspace has no address, or the team has dealt with the lead already. */
async function noticeOf(
	lead: CallbackLead | null,
	workspace: Workspace | null,
	channel: NoticeChannel,
	{ vault }: Deps,
): Promise<Omit<LeadNotice, 'link'> | null> {
	if (lead?.status !== 'pending' || workspace === null) return null;
	const { id, team_email, team_webhook = null, name: workspace_name } = workspace;
	const sealed = channel === 'chat' ? team_webhook?.sealed : undefined;
	const to = sealed === undefined ? team_email : await vault.openSecret(sealed, teamWebhookOwner(id));
	if (!to || (channel === 'chat' && sealed === undefined)) return null;
	return { to, workspace_name, locale: localeOf(workspace), lead };
}

function put(item: TeamNotice, version: number): Write {
	return { op: 'put', record: 'team_notice', item, guard: { if: 'version', version } };
}

async function record(held: TeamNotice, outcome: NotifyOutcome, deps: Deps): Promise<void> {
	switch (outcome.notified) {
		case 'sent':
			return end(held, 'sent', 'sent', deps);
		case 'refused':
			return end(held, 'failed', outcome.code, deps);
		case 'failed':
			return tryAgain(held, outcome.code, deps);
	}
}

async function tryAgain(held: TeamNotice, code: string, deps: Deps): Promise<void> {
	const { store, queues, clock, log, schedule_seconds } = deps;
	const now_ms = clock.now();
	const next = afterFailure(held, now_ms, schedule_seconds);
	if (next.status !== 'pending') return end(held, 'failed', code, deps);
	log.warn('team not told yet', {
		lead_id: held.id,
		workspace_id: held.workspace_id,
		attempt: held.attempt_count,
		code,
	});
	const outcome = await store.commit([put(next, held.version)]);
	const wait_ms = Date.parse(next.next_attempt_at ?? '') - now_ms;
	if (!outcome.committed || wait_ms > TIMED_BY_MESSAGE_MS) return;
	await queues.send('team-notices', [noticeMessage(held, delaySeconds(wait_ms))]);
}

/**
 * The end of a notice. One that is given up leaves a pointer where operators look, and that first: if the queue does not
 * take it, the notice stays as it is, for the sweep to bring it here again.
 */
async function end(
	notice: TeamNotice,
	status: Exclude<TeamNotice['status'], 'pending'>,
	code: string,
	{ store, queues, log }: Deps,
): Promise<void> {
	if (status === 'failed') {
		const { sent } = await queues.send('dead-letters', [noticeMessage(notice)]);
		if (sent === 0) return;
	}
	const outcome = await store.commit([put(finished(notice, status), notice.version)]);
	if (!outcome.committed) return;
	const fields = { lead_id: notice.id, workspace_id: notice.workspace_id, attempt: notice.attempt_count };
	if (status === 'sent') return log.info('team told', fields);
	log.warn('team not told', { ...fields, outcome: status, code });
}
