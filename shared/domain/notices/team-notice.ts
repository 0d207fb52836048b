import { LEASE_MS } from '../kernel/lease.ts';
import { watchedFrom } from '../kernel/wake-up.ts';
import { EVENT_RETENTION_SECONDS } from '../webhooks/event.ts';
import type { DeskRole } from '../workspaces/desk-person.ts';
import type { Workspace } from '../workspaces/workspace.ts';

/** Seconds before each try: eight tries over about 13 hours. A message that arrives even later would be useless. */
export const NOTICE_SCHEDULE_SECONDS: readonly number[] = [0, 30, 120, 600, 1800, 3600, 10_800, 28_800];

export const noticeChannels = ['mail', 'chat'] as const;
export type NoticeChannel = (typeof noticeChannels)[number];

export function channelsOf({
	team_email,
	team_webhook,
}: Pick<Workspace, 'team_email' | 'team_webhook'>): readonly NoticeChannel[] {
	return [...(team_email ? (['mail'] as const) : []), ...(team_webhook ? (['chat'] as const) : [])];
}

/** The channels that get messages about missed calls. */
export function missedCallChannels(
	workspace: Pick<Workspace, 'team_email' | 'team_webhook' | 'tells_missed_calls' | 'missed_calls_to'>,
): readonly NoticeChannel[] {
	const { tells_missed_calls, missed_calls_to = noticeChannels } = workspace;
	return tells_missed_calls ? channelsOf(workspace).filter((channel) => missed_calls_to.includes(channel)) : [];
}

/**
 * The id of the notice about a subject for one channel. The subject is a lead's id, or a text that names another cause,
 * such as the texts in endpoint-notice.ts.
 */
export const noticeId = (subject: string, channel: NoticeChannel): string => `${subject}#${channel}`;

/**
 * A message to a team or to people of its desk, and what became of it. A notice is about a lead, missed calls, a webhook
 * endpoint, a new secret or a handover of the desk, or is a test. A notice is committed together with its cause.
 */
export type TeamNotice = AboutLead | AboutEndpoint | AboutMissedCalls | AboutSecret | AboutHandover | AboutTest;

export type AboutLead = Notice & {
	readonly endpoint?: undefined;
	readonly missed?: undefined;
	readonly made?: undefined;
	readonly handover?: undefined;
	readonly test?: undefined;
	readonly lead_id: string;
};
export type AboutEndpoint = Notice & {
	readonly endpoint: EndpointFact;
	readonly missed?: undefined;
	readonly made?: undefined;
	readonly handover?: undefined;
	readonly test?: undefined;
};
export type AboutMissedCalls = Notice & {
	readonly endpoint?: undefined;
	readonly missed: MissedCalls;
	readonly made?: undefined;
	readonly handover?: undefined;
	readonly test?: undefined;
};
export type AboutSecret = Notice & {
	readonly endpoint?: undefined;
	readonly missed?: undefined;
	readonly made: SecretMade;
	readonly handover?: undefined;
	readonly test?: undefined;
};
export type AboutHandover = Notice & {
	readonly endpoint?: undefined;
	readonly missed?: undefined;
	readonly made?: undefined;
	readonly handover: Handover;
	readonly test?: undefined;
	/**
	 * No lead has this id. A release that does not know handovers takes the notice for a notice about a lead, finds no
	 * lead, and sends nothing.
	 */
	readonly lead_id: '';
};
export type AboutTest = Notice & {
	readonly endpoint?: undefined;
	readonly missed?: undefined;
	readonly made?: undefined;
	readonly handover?: undefined;
	readonly test: NoticeTest;
	/** No lead has this id, as in a notice about a handover. */
	readonly lead_id: '';
};

/**
 * A message that only shows whether messages arrive. `by` is the mail address of the person at the desk who asked for the
 * message.
 */
export type NoticeTest = { readonly by: string; readonly at: string };

/**
 * A change of the desk's owners, or of the address that gets the team's messages. `to` is the address that gets a mail about
 * the change.
 */
export type Handover = {
	/** The change, as the audit list names it. */
	readonly change: 'person_invited' | 'person_removed' | 'desk_left' | 'notices' | 'notices_agreed';
	/** The address that was added. Null if the address was removed. */
	readonly about: string | null;
	/**
	 * The role to which a person was invited. If the role is not `owner`, the person was an owner until this invitation.
	 */
	readonly role?: DeskRole;
	/** The mail addresses of the person who made the change (`by`) and of the recipient (`to`). */
	readonly by: string;
	readonly to: string;
	readonly at: string;
};

/** A secret that a person at the desk has made, and the owner who gets this notice. */
export type SecretMade = {
	readonly what: 'key_created' | 'secret_rotated';
	/** The key's name, or the endpoint's address without its query. */
	readonly about: string;
	/** The mail addresses of the person who made the secret (`by`) and of the owner. */
	readonly by: string;
	readonly owner: string;
	readonly at: string;
};

/** The calls that the notice lists, oldest first. `more` is how many further calls there are. */
export type MissedCalls = { readonly call_ids: readonly string[]; readonly more: number };

export type EndpointFact =
	/**
	 * The endpoint was disabled, because the receiver answered 410 (`gone`), or because no attempt succeeded for days
	 * (`failing`).
	 */
	| {
			readonly fact: 'disabled';
			readonly endpoint_id: string;
			readonly at: string;
			readonly reason: 'gone' | 'failing';
	  }
	/** A delivery was exhausted. For each endpoint, only the first exhausted delivery of a day is reported. */
	| {
			readonly fact: 'gave_up';
			readonly endpoint_id: string;
			readonly at: string;
			readonly delivery_id: string;
			/** When the delivery's event happened. */
			readonly event_at: string;
			readonly error: string | null;
			readonly response_status: number | null;
	  };

type Notice = {
	readonly id: string;
	readonly channel: NoticeChannel;
	readonly version: number;
	readonly workspace_id: string;
	/**
	 * `canceled`: the notice is not needed any more, or the team has no address, or no mail sender is configured. `failed`:
	 * all tries failed.
	 */
	readonly status: 'pending' | 'sent' | 'canceled' | 'failed';
	/** How many tries have begun. A try that a crash interrupted counts, too. */
	readonly attempt_count: number;
	readonly next_attempt_at: string | null;
	/** When the lease ends. Until then, no other process may try. */
	readonly lease_until: string | null;
	/** When the sweep should check the notice. Null once nothing remains to be done. */
	readonly due_at: string | null;
	readonly expires_at_epoch_s: number;
};

const iso = (epochMs: number): string => new Date(epochMs).toISOString();

export function newNotice(
	lead: { readonly id: string; readonly workspace_id: string },
	nowMs: number,
	channel: NoticeChannel,
): TeamNotice {
	return { ...pendingNotice(lead.id, channel, lead.workspace_id, nowMs), lead_id: lead.id };
}

/**
 * A notice that is due now. A message asks a worker for the first try. If that message is lost, the sweep finds the notice.
 */
export function pendingNotice(subject: string, channel: NoticeChannel, workspace_id: string, nowMs: number): Notice {
	return {
		id: noticeId(subject, channel),
		channel,
		version: 1,
		workspace_id,
		status: 'pending',
		attempt_count: 0,
		next_attempt_at: iso(nowMs),
		lease_until: null,
		due_at: watchedFrom(nowMs, nowMs),
		expires_at_epoch_s: Math.floor(nowMs / 1000) + EVENT_RETENTION_SECONDS,
	};
}

/** Restarts a failed notice with its first try. */
export function replayNotice(notice: TeamNotice, nowMs: number): TeamNotice {
	return {
		...notice,
		version: notice.version + 1,
		status: 'pending',
		attempt_count: 0,
		next_attempt_at: iso(nowMs),
		lease_until: null,
		due_at: watchedFrom(nowMs, nowMs),
	};
}

/** Whether the notice may be tried now: it is pending, due, and not leased. */
export function isNoticeDue(notice: TeamNotice, nowMs: number): boolean {
	const past = (at: string | null): boolean => at === null || Date.parse(at) <= nowMs;
	return notice.status === 'pending' && past(notice.next_attempt_at) && past(notice.lease_until);
}

export function claimNotice(notice: TeamNotice, nowMs: number): TeamNotice {
	const until = iso(nowMs + LEASE_MS);
	const { version, attempt_count } = notice;
	return { ...notice, version: version + 1, attempt_count: attempt_count + 1, lease_until: until, due_at: until };
}

export function finishNotice(notice: TeamNotice, status: Exclude<TeamNotice['status'], 'pending'>): TeamNotice {
	return { ...notice, version: notice.version + 1, status, next_attempt_at: null, lease_until: null, due_at: null };
}

/** The notice after a failed try. The notice is due again later, or has failed if the schedule has no more tries. */
export function noticeAfterFailure(notice: TeamNotice, nowMs: number, scheduleSeconds: readonly number[]): TeamNotice {
	const waitSeconds = scheduleSeconds[notice.attempt_count];
	if (waitSeconds === undefined) return finishNotice(notice, 'failed');
	const atMs = nowMs + waitSeconds * 1000;
	return {
		...notice,
		version: notice.version + 1,
		next_attempt_at: iso(atMs),
		lease_until: null,
		due_at: watchedFrom(atMs, nowMs),
	};
}
