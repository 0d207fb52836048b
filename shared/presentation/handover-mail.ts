import type { HandoverNotice } from '../ports/team-notifier.ts';
import { deskTextsIn } from './desk-texts.ts';
import { type Mail, type MailParts, mailOf } from './letter.ts';
import { html } from './markup.ts';
import { fillIn, textsIn } from './team-texts.ts';
import { oneLine, readableTime, withoutMarks } from './team-words.ts';

/**
 * The mail about a handover of the desk, for the people who had the desk before the handover. If the handover can be
 * undone, the mail contains a link that undoes it.
 */
export function handoverMail(notice: HandoverNotice): Mail {
	const { put_back, locale, workspace_name } = notice;
	const words = deskTextsIn(locale.language);
	const texts = textsIn(locale.language);
	const subject = fillIn(words.handover.subject, oneLine(workspace_name));
	const until = put_back && fillIn(texts.works_until, readableTime(put_back.expires_at, locale));
	const letter = {
		headline: `${subject}.`,
		initials: '',
		rows: rowsOf(notice),
		steps: put_back ? [{ label: words.handover.put_back, does: { open: put_back.url } }] : [],
		notes: [words.handover.why, ...(until === null ? [words.handover.ask] : [words.handover.detail, until])],
	};
	return mailOf(subject, letter, notice);
}

function rowsOf({ handover, locale }: HandoverNotice): MailParts['rows'] {
	const { change, about, by, role, at } = handover;
	const { changes, fields, choices, mail, handover: words } = deskTextsIn(locale.language);
	const texts = textsIn(locale.language);
	const plain = (label: string, text: string) => ({ label, text, shown: html`<bdi>${text}</bdi>` });
	const address = (label: string, text: string) => ({
		label,
		text: withoutMarks(text, texts),
		shown: html`<bdi dir="ltr">${text}</bdi>`,
	});
	const isAddress = change === 'notices' || change === 'notices_agreed';
	return [
		plain(words.what, `${by}: ${fillIn(changes[change], about ?? '')}`),
		...(isAddress ? [address(fields.team_email, about ?? '–')] : []),
		...(role === undefined ? [] : [plain(fields.role, choices.role[role])]),
		address(mail.by, by),
		plain(texts.when, readableTime(at, locale)),
	];
}
