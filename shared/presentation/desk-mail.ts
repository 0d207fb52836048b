import type { DeskMail } from '../ports/team-notifier.ts';
import { deskTextsIn } from './desk-texts.ts';
import { type Mail, mailOf } from './letter.ts';
import { html } from './markup.ts';
import { fillIn, textsIn } from './team-texts.ts';
import { oneLine, readableTime, withoutMarks } from './team-words.ts';

/** Composes the mail with a one-time link to the desk, in the team's language. */
export function deskMail(message: DeskMail): Mail {
	const { reason, desk_link, locale, workspace_name, invited } = message;
	const { mail, fields, choices } = deskTextsIn(locale.language);
	const texts = textsIn(locale.language);
	const subject = fillIn(mail[reason], oneLine(workspace_name));
	const works_until = fillIn(texts.works_until, readableTime(desk_link.expires_at, locale));
	const steps = [{ label: mail.open, does: { open: desk_link.url } }];
	const by = invited?.by ?? null;
	const rows = [
		...(by === null
			? []
			: [{ label: mail.invited_by, text: withoutMarks(by, texts), shown: html`<bdi dir="ltr">${by}</bdi>` }]),
		...(invited
			? [{ label: fields.role, text: choices.role[invited.role], shown: html`${choices.role[invited.role]}` }]
			: []),
	];
	const notes = [...(invited ? [mail.about] : []), works_until, mail.ignore];
	const letter = { headline: `${subject}.`, initials: '', rows, steps, notes };
	return mailOf(subject, letter, message);
}
