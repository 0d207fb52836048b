import type { DeskMail } from '../ports/team-notifier.ts';
import { deskTextsIn } from './desk-texts.ts';
import { type Letter, letterHtml, letterText, type Mail } from './letter.ts';
import { fillIn, textsIn } from './team-texts.ts';
import { oneLine, readableTime } from './team-words.ts';

/** Composes the mail with a one-time link to the desk, in the team's language. */
export function deskMail({ reason, desk_link, locale, workspace_name }: DeskMail): Mail {
	const { mail } = deskTextsIn(locale.language);
	const headline = fillIn(mail[reason], oneLine(workspace_name));
	const works_until = fillIn(textsIn(locale.language).works_until, readableTime(desk_link.expires_at, locale));
	const letter: Letter = {
		headline: `${headline}.`,
		initials: '',
		rows: [],
		steps: [{ label: mail.open, does: { open: desk_link.url } }],
		notes: [works_until, mail.ignore],
	};
	return { subject: headline, text: letterText(letter), html: letterHtml(letter, locale, workspace_name) };
}
