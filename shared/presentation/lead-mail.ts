import type { LeadNotice } from '../ports/team-notifier.ts';
import { link as linkTo, type Mail, type MailParts, mailOf } from './letter.ts';
import { html } from './markup.ts';
import { readableMask } from './readable-mask.ts';
import { fillIn, textsIn } from './team-texts.ts';
import { initialsOf, plainAddress, readableTime, visitorsNote, whoAsked, withoutMarks } from './team-words.ts';

/** The mail about a lead, with its one-time link, in the team's language. The mail shows only the masked number. */
export function leadMail(notice: LeadNotice): Mail {
	const { lead, link, locale } = notice;
	const texts = textsIn(locale.language);
	const who = whoAsked(lead, locale);
	const number = readableMask(lead.visitor_phone_masked);
	const note = visitorsNote(lead);
	const page = plainAddress(lead.source_url);
	const when = readableTime(lead.created_at, locale);
	const letter: MailParts = {
		headline: `${fillIn(texts.asked, who)}.`,
		initials: initialsOf(lead.name ?? ''),
		rows: [
			{
				label: texts.number,
				text: withoutMarks(number, texts),
				shown: html`<bdi dir="ltr" style="white-space:nowrap">${number}</bdi>`,
			},
			...(note === '' ? [] : [{ label: texts.note, text: note, shown: html`<bdi>${note}</bdi>` }]),
			{ label: texts.page, text: page, shown: linkTo(page) },
			{ label: texts.when, text: when, shown: html`${when}` },
		],
		steps: [{ label: texts.ring, does: { open: link.url } }],
		notes: [texts.confirm_first, fillIn(texts.works_until, readableTime(link.expires_at, locale))],
	};
	return mailOf(fillIn(texts.subject, who, withoutMarks(number, texts)), letter, notice);
}
