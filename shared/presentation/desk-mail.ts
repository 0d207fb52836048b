import type { DeskMail } from '../ports/team-notifier.ts';
import { deskTextsIn } from './desk-texts.ts';
import { type Mail, type MailParts, mailOf } from './letter.ts';
import { html } from './markup.ts';
import { fillIn, textsIn } from './team-texts.ts';
import { oneLine, readableTime, withoutMarks } from './team-words.ts';

/**
 * The mail with a one-time link, in the team's language. The link opens the desk, or lets the recipient agree to get the
 * team's messages.
 */
export function deskMail(message: DeskMail): Mail {
	const { reason, desk_link, locale, workspace_name } = message;
	const { mail, agree } = deskTextsIn(locale.language);
	const texts = textsIn(locale.language);
	const isNamed = workspace_name !== '' || reason !== 'sign_in';
	const subject = isNamed ? fillIn(mail[reason], oneLine(workspace_name)) : mail.sign_in_any;
	const worksUntil = fillIn(texts.works_until, readableTime(desk_link.expires_at, locale));
	const label = reason === 'notices' ? agree.yes : mail.open;
	const invitation = message.invited?.role === 'developer' ? mail.about_developer : mail.about;
	const about = { sign_in: [], invitation: [invitation], notices: [agree.detail] }[reason];
	const letter = {
		headline: `${subject}.`,
		initials: '',
		rows: invitationRows(message),
		steps: [{ label, does: { open: desk_link.url } }],
		notes: [...about, worksUntil, mail.ignore],
	};
	return mailOf(subject, letter, message);
}

/** The rows that say who invites the person, and to which role. */
function invitationRows({ invited, locale }: DeskMail): MailParts['rows'] {
	const { mail, fields, choices } = deskTextsIn(locale.language);
	const texts = textsIn(locale.language);
	const { by = null, role = null } = invited ?? {};
	const address = (text: string) => ({ text: withoutMarks(text, texts), shown: html`<bdi dir="ltr">${text}</bdi>` });
	return [
		...(by === null ? [] : [{ label: mail.invited_by, ...address(by) }]),
		...(role === null ? [] : [{ label: fields.role, text: choices.role[role], shown: html`${choices.role[role]}` }]),
	];
}
