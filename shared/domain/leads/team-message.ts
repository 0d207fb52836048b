import { html } from '../kernel/markup.ts';
import type { CallbackLead } from './callback-lead.ts';

/** What the team is told, as text and as HTML. */
export type MessageText = { readonly subject: string; readonly text: string; readonly html: string };

/**
 * A visitor's words on one line, in which no mail program finds a link: no line breaks, no controls, no marks that turn the
 * direction of what follows; no `://`, no `@`, and a space after every dot inside a word (`J.R. Ewing` is `J. R. Ewing`).
 * Compatibility forms first, for a full-width dot counts as one in a domain (UTS 46).
 */
function oneLine(text: string): string {
	return text
		.normalize('NFKC')
		.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
		.replace(/:\/+/g, ' ')
		.replace(/@/g, ' (at) ')
		.replace(/[.\u3002](?=[^\s.])/gu, '. ')
		.trim();
}

/** `21 November 2026, 10:00 (Europe/Copenhagen)`; UTC where the team has told no time zone. */
export function readableTime(at: string, time_zone: string | null): string {
	const zone = time_zone ?? 'UTC';
	const format = new Intl.DateTimeFormat('en-GB', {
		...{ day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
		timeZone: zone,
	});
	return `${format.format(new Date(at)).replace(' at ', ', ')} (${zone})`;
}

/** Who asked: the name, if one was given. */
export function whoAsked(lead: Pick<CallbackLead, 'name'>): string {
	return oneLine(lead.name ?? '') || 'A visitor';
}

const HOW =
	'Open the link and confirm: we ring your phone first; when you press 1, we ring the visitor and connect you. ' +
	'Nobody is called before you confirm.';

/**
 * The message about a lead, with its one-time link. It holds the mask of the number, and nothing else of it. SES must
 * not lead the link through a redirect of its own, which would keep it (`ses:no-track`).
 */
export function leadMessage(
	lead: CallbackLead,
	link: { readonly url: string; readonly expires_at: string },
	time_zone: string | null,
): MessageText {
	const who = whoAsked(lead);
	const asked = `${who} asked to be called back.`;
	const until = `The link works once, until ${readableTime(link.expires_at, time_zone)}.`;
	const { visitor_phone_masked: number, source_url: page } = lead;
	const when = readableTime(lead.created_at, time_zone);
	const text = `${asked}

Number: ${number}
Page:   ${page}
When:   ${when}

Ring me and connect:
${link.url}

${HOW}
${until}
`;
	const { markup } = html`<!doctype html>
<html lang="en"><body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<p style="font-size:18px"><strong>${asked}</strong></p>
<p>Number: ${number}<br>Page: ${page}<br>When: ${when}</p>
<p><a href="${link.url}" ses:no-track rel="noreferrer" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#14532d;color:#fff;text-decoration:none">Ring me and connect</a></p>
<p>${HOW}</p><p>${until}</p></body></html>
`;
	return { subject: `Call back: ${who}, ${number}`, text, html: markup };
}
