import type { TeamLocale } from '../domain/workspaces/language.ts';
import type { Addressee } from '../ports/team-notifier.ts';
import { html, type Markup } from './markup.ts';
import { textsIn } from './team-texts.ts';
import { oneLine } from './team-words.ts';

/** A mail: a subject, and the same content as plain text and as HTML. */
export type Mail = { readonly subject: string; readonly text: string; readonly html: string };

export type MailParts = {
	readonly headline: string;
	/** The initials of a person, which are shown above the headline. Empty if the mail shows no initials. */
	readonly initials: string;
	/** Facts with their labels, as text and as HTML. If `apart` is true, a new group of facts begins, after a gap. */
	readonly rows: readonly {
		readonly label: string;
		readonly text: string;
		readonly shown: Markup;
		readonly apart?: boolean;
	}[];
	/**
	 * What the recipient should do: labels, each with something to open or a command to enter. Links are shown as buttons.
	 */
	readonly steps: readonly {
		readonly label: string;
		readonly does: { readonly open: string } | { readonly enter: string };
	}[];
	readonly notes: readonly string[];
};

// The colours are written here, because mail programs support neither style sheets nor custom properties.
const ACCENT = '#0a6c4d';
const SOFT = '#57615d';
const APART = html`<tr><td colspan="2" style="height:16px"></td></tr>`;
const SANS = 'system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';

// Styles are on each element, because mail programs drop styles in the head.
const BUTTON_STYLE = `display:inline-block;padding:14px 24px;border-radius:12px;background:${ACCENT};color:#fff;\
font-weight:600;text-decoration:none`;
const COMMAND_STYLE =
	'margin:0;padding:12px;border-radius:8px;background:#f4f6f5;font:13px/1.5 ui-monospace,monospace;' +
	'white-space:pre-wrap;overflow-wrap:anywhere';
const AVATAR_STYLE = `width:48px;height:48px;margin:0 0 12px;border-radius:24px;background:${ACCENT};color:#fff;\
font-weight:600;line-height:48px;text-align:center`;

export const mailOf = (
	subject: string,
	letter: MailParts,
	{ locale, workspace_name }: Pick<Addressee, 'locale' | 'workspace_name'>,
): Mail => ({ subject, text: letterText(letter), html: letterHtml(letter, locale, workspace_name) });

function letterText({ headline, rows, steps, notes }: MailParts): string {
	const facts = rows.map(({ label, text, apart }) => `${apart ? '\n' : ''}${label}: ${text}`).join('\n');
	const stepLines = steps.map(({ label, does }) => `${label}:\n${'open' in does ? does.open : does.enter}`);
	return `${[headline, facts, ...stepLines, notes.join('\n')].join('\n\n')}\n`;
}

/**
 * The HTML of a mail. `ses:no-track` keeps SES from replacing a link with a redirect of its own, because SES would then
 * store the link.
 */
function letterHtml(letter: MailParts, { language }: TeamLocale, workspaceName: string): string {
	const { headline, initials, rows, steps, notes } = letter;
	return html`<!doctype html>
<html lang="${language}" dir="${textsIn(language).dir}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${headline}</title></head>
<body style="margin:0;background:#f4f6f5;color:#151a18;font:16px/1.5 ${SANS}">
<div role="main" style="max-width:480px;margin:0 auto;padding:24px 16px">
${workspaceName !== '' && html`<p style="margin:0 0 12px;color:${SOFT};font-size:14px">${oneLine(workspaceName)}</p>`}
<div style="padding:24px;border:1px solid #dfe4e2;border-radius:16px;background:#fff">
${avatar(initials)}
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${headline}</h1>
<table role="presentation" cellpadding="0" cellspacing="0" style="border-collapse:collapse;font-size:16px">
${rows.map(
	({ label, shown, apart }) =>
		html`${apart ? APART : html``}<tr>
<td style="padding:4px 0;padding-inline-end:16px;color:${SOFT};vertical-align:top">${label}</td>
<td style="padding:4px 0;vertical-align:top;overflow-wrap:anywhere">${shown}</td></tr>
`,
)}</table>
${steps.map(step)}
${notes.map((note) => html`<p style="margin:12px 0 0;color:${SOFT};font-size:14px">${note}</p>`)}
</div></div></body></html>
`.markup;
}

/** A link that the mail service does not replace with a redirect of its own. */
export const link = (url: string): Markup =>
	html`<bdi dir="ltr"><a href="${url}" ses:no-track rel="noreferrer" style="color:${ACCENT}">${url}</a></bdi>`;

function step({ label, does }: MailParts['steps'][number]): Markup {
	if ('open' in does) {
		return html`<p style="margin:20px 0 8px">
<a href="${does.open}" ses:no-track rel="noreferrer" style="${BUTTON_STYLE}">${label}</a></p>`;
	}
	return html`<p style="margin:20px 0 8px">${label}:</p>
<p dir="ltr" style="${COMMAND_STYLE}">${does.enter}</p>`;
}

function avatar(initials: string): Markup {
	if (initials === '') return html``;
	return html`<p aria-hidden="true" style="${AVATAR_STYLE}">${initials}</p>`;
}
