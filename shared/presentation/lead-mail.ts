import type { LeadNotice } from '../ports/team-notifier.ts';
import { html, type Markup } from './markup.ts';
import { readableMask } from './readable-mask.ts';
import { filled, textsIn } from './team-texts.ts';
import { initialsOf, readableTime, unturned, whoAsked } from './team-words.ts';

/** A mail: a subject, and the same letter as plain text and as HTML. */
export type Mail = { readonly subject: string; readonly text: string; readonly html: string };

// Mail programs know neither style sheets nor custom properties.
const ACCENT = '#0a6c4d';
const SOFT = '#57615d';
const SANS = 'system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';

/**
 * The mail about a lead, with its one-time link, in the team's language. It holds the mask of the number, and nothing
 * else of it.
 */
export function leadMail(notice: LeadNotice): Mail {
	const { lead, link, locale, workspace_name } = notice;
	const texts = textsIn(locale.language);
	const who = whoAsked(lead, locale);
	const number = readableMask(lead.visitor_phone_masked);
	const letter: Letter = {
		asked: `${filled(texts.asked, who)}.`,
		number,
		page: lead.source_url,
		when: readableTime(lead.created_at, locale),
		how: texts.confirm_first,
		until: filled(texts.works_until, readableTime(link.expires_at, locale)),
	};
	return {
		subject: filled(texts.subject, who, unturned(number, texts)),
		text: asText(letter, notice),
		html: asHtml(letter, notice, { initials: initialsOf(lead.name ?? ''), workspace_name }).markup,
	};
}

type Letter = Readonly<Record<'asked' | 'number' | 'page' | 'when' | 'how' | 'until', string>>;

function asText({ asked, number, page, when, how, until }: Letter, { link, locale }: LeadNotice): string {
	const texts = textsIn(locale.language);
	return `${asked}

${texts.number}: ${unturned(number, texts)}
${texts.page}: ${page}
${texts.when}: ${when}

${texts.ring}:
${link.url}

${how}
${until}
`;
}

type Head = { readonly initials: string; readonly workspace_name: string };

/** SES must not lead the link through a redirect of its own, which would keep it (`ses:no-track`). */
function asHtml({ asked, number, page, when, how, until }: Letter, { link, locale }: LeadNotice, head: Head): Markup {
	const texts = textsIn(locale.language);
	const row = (label: string, value: Markup): Markup =>
		html`<tr><td style="padding:4px 0;padding-inline-end:16px;color:${SOFT};vertical-align:top;white-space:nowrap">${label}</td><td style="padding:4px 0;overflow-wrap:anywhere">${value}</td></tr>`;
	const small = (text: string): Markup => html`<p style="margin:12px 0 0;color:${SOFT};font-size:14px">${text}</p>`;
	return html`<!doctype html>
<html lang="${locale.language}" dir="${texts.dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${asked}</title></head>
<body style="margin:0;background:#f4f6f5;color:#151a18;font:16px/1.5 ${SANS}">
<div role="main" style="max-width:480px;margin:0 auto;padding:24px 16px">
<p style="margin:0 0 12px;color:${SOFT};font-size:14px">${head.workspace_name}</p>
<div style="padding:24px;border:1px solid #dfe4e2;border-radius:16px;background:#fff">
${avatar(head.initials)}
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${asked}</h1>
<table role="presentation" cellpadding="0" cellspacing="0" style="border-collapse:collapse;font-size:16px">
${row(texts.number, html`<bdi dir="ltr" style="white-space:nowrap">${number}</bdi>`)}
${row(texts.page, html`<bdi dir="ltr"><a href="${page}" ses:no-track rel="noreferrer" style="color:${ACCENT}">${page}</a></bdi>`)}
${row(texts.when, html`${when}`)}
</table>
<p style="margin:20px 0 8px"><a href="${link.url}" ses:no-track rel="noreferrer" style="display:inline-block;padding:14px 24px;border-radius:12px;background:${ACCENT};color:#fff;font-weight:600;text-decoration:none">${texts.ring}</a></p>
${small(how)}${small(until)}
</div></div></body></html>
`;
}

function avatar(initials: string): Markup {
	if (initials === '') return html``;
	return html`<p aria-hidden="true" style="width:48px;height:48px;margin:0 0 12px;border-radius:24px;background:${ACCENT};color:#fff;font-weight:600;line-height:48px;text-align:center">${initials}</p>`;
}
