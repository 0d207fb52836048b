import { missedReasonOf } from '../../../shared/domain/calls/call.ts';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import { noticeId, type TeamNotice } from '../../../shared/domain/notices/team-notice.ts';
import type { TeamMessage } from '../../../shared/ports/team-notifier.ts';
import type { Stage } from './stage.ts';

// The rules for mails to the team.

export async function checkNotices(
	stage: Stage,
	calls: readonly CallRecord[],
	notices: readonly TeamNotice[],
): Promise<void> {
	for (const lead of stage.leads) {
		const notice = await stage.truth.get('team_notice', { id: noticeId(lead, 'mail') });
		if (notice === null) stage.broken('a lead notifies the team', lead);
		else if (notice.status === 'pending') stage.broken('every notice ends', lead);
	}
	checkMails(stage);
	checkMissed(stage, calls, notices);
}

/** Checks that a mail is sent a second time only by a process that a fault has struck. */
function checkMails({ sent_mails, broken }: Stage): void {
	const sent = new Set<string>();
	for (const { message, process } of sent_mails) {
		if (process?.hurt === true) continue;
		const subject = JSON.stringify(subjectOf(message));
		if (sent.has(subject)) broken('a mail is repeated only by a crash', subject);
		sent.add(subject);
	}
}

function subjectOf(message: TeamMessage): unknown {
	if ('lead' in message) return message.lead;
	if ('calls' in message) return message.calls.map(({ id }) => id);
	if ('made' in message) return message.made;
	if ('handover' in message) return [message.handover, message.to];
	if ('test' in message) return [message.test, message.to];
	return 'fact' in message ? message.fact : message.desk_link;
}

/** Checks that every missed call is in exactly one notice to the team, and every other call in none. */
function checkMissed(stage: Stage, calls: readonly CallRecord[], notices: readonly TeamNotice[]): void {
	const missed = calls.filter((call) => missedReasonOf(call) !== null);
	for (const { id } of missed) {
		const telling = notices.filter((notice) => notice.missed?.call_ids.includes(id));
		if (telling.length !== 1) stage.broken('a missed call is announced once', `${id}: ${telling.length} notices`);
		if (telling.some(({ status }) => status === 'pending')) stage.broken('every notice ends', id);
		const named = stage.mails.some((mail) => 'calls' in mail && mail.calls.some((call) => call.id === id));
		if (telling.some(({ status }) => status === 'sent') && !named)
			stage.broken('a missed call is announced once', `${id} in no mail`);
	}
	for (const { missed: notice } of notices) {
		const other = notice?.call_ids.find((id) => missed.every((call) => call.id !== id));
		if (other !== undefined) stage.broken('only a missed call is announced as missed', other);
	}
}
