import type { DeskMail } from '../ports/team-notifier.ts';
import { deskTextsIn } from './desk-texts.ts';
import { type Mail, mailOf } from './letter.ts';
import { fillIn, textsIn } from './team-texts.ts';
import { oneLine, readableTime } from './team-words.ts';

/** Composes the mail with a one-time link to the desk, in the team's language. */
export function deskMail(message: DeskMail): Mail {
	const { reason, desk_link, locale, workspace_name } = message;
	const { mail } = deskTextsIn(locale.language);
	const subject = fillIn(mail[reason], oneLine(workspace_name));
	const works_until = fillIn(textsIn(locale.language).works_until, readableTime(desk_link.expires_at, locale));
	const steps = [{ label: mail.open, does: { open: desk_link.url } }];
	const letter = { headline: `${subject}.`, initials: '', rows: [], steps, notes: [works_until, mail.ignore] };
	return mailOf(subject, letter, message);
}
