import { cutAt, visibleLine } from '../../../domain/kernel/visible-line.ts';
import { type ConsentCase, consentCases, consentText } from '../../../domain/workspaces/consent-text.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { WEEKDAYS } from '../../desk/sections.ts';
import type { HttpRequest } from '../../request.ts';
import { blockNote } from './block-note.ts';
import { weekdayName } from './desk-words.ts';
import { type Form, field, fieldState, fieldValue, formCard, languageName, tick } from './fields.ts';
import { hiddenFields, type PageDeps, type ShopDeps, type View } from './frame.ts';

// The pages with the settings of a shop: its hours, its notices and its site.

/** Openings of one day that the form has fields for; if a day has more, one more than those. */
const OPENINGS = 2;

/** Weekly hours, holidays and the time zone. */
export const hoursPage = (view: View): Markup => formCard(view, 'hours', hoursForm, view.texts.save);

function hoursForm(form: Form): Markup {
	const { texts } = form.view;
	const { always_open, fields } = texts;
	const nths = Object.keys(form.saved).flatMap((name) => /^from-\d-(\d+)$/.exec(name)?.[1] ?? []);
	const most = Math.max(OPENINGS, ...nths.map((nth) => Number(nth) + 2));
	const when = fieldValue(form, 'when', (value) => (value === 'always' ? always_open : fields.weekly));
	return html`<fieldset>${tick('radio', 'when', 'always', when.value, always_open)}${tick('radio', 'when', 'hours', when.value, fields.weekly)}${when.beside}${fieldValue(form, 'weekly').beside}</fieldset>
<p class="soft">${texts.hours_hint}</p>
<table class="hours">${WEEKDAYS.map((weekday) => dayRow(form, weekday, most))}</table>
${field(form, 'time_zone')}${field(form, 'holidays')}${field(form, 'holiday')}`;
}

function dayRow(form: Form, weekday: number, most: number): Markup {
	const { texts, language } = form.view;
	const day = weekdayName(weekday, language);
	const field = (end: 'from' | 'to', nth: number, label: string): Markup => {
		const name = `${end}-${weekday}-${nth}`;
		const { value, is_wrong, beside } = fieldValue(form, name);
		return html`<input type="time" name="${name}" aria-label="${fillIn(label, day)}"${fieldState(name, is_wrong)} value="${value}">${beside}`;
	};
	const pairs = Array.from(
		{ length: most },
		(_, nth) => html`<span class="row">${field('from', nth, texts.from_on)}–${field('to', nth, texts.to_on)}</span>`,
	);
	return html`<tr><th scope="row">${day}</th><td>${pairs}</td></tr>`;
}

/** Where messages to the team go. */
export async function noticesPage(view: View, deps: PageDeps): Promise<Markup> {
	const { texts, at } = view;
	const { team_email, team_webhook } = at.workspace;
	const note = team_email !== null && (await blockNote(team_email, view, deps));
	const block = note && html`<div class="card"><strong><bdi dir="ltr">${team_email}</bdi></strong>${note}</div>`;
	const chat = team_webhook && html`<p class="soft">${fillIn(texts.chat_is, team_webhook.origin)}</p>`;
	return html`${formCard(view, 'notices', ['team_email', 'tells_missed_calls'], texts.save)}${block}${chat}`;
}

/** What the snippet says of the widget's look; null: as it is by default. */
type Look = { readonly accent: string | null; readonly greeting: string | null };

/** The widget's own colour in light pages. */
const DEFAULT_ACCENT = '#0a6c4d';
const MOST_GREETING = 120;

/** The shop's site: its addresses, the snippet with the look of the widget, and what visitors agree to. */
export function sitePage(view: View, { addresses }: ShopDeps): Markup {
	const { texts, at, query } = view;
	const look = lookIn(query);
	return html`${formCard(view, 'site', ['name', 'origins', 'language'], texts.save)}
<h2 id="look">${texts.look.title}</h2><div class="card columns">${lookForm(look, view)}${preview(look, view)}</div>
<h2>${texts.snippet}</h2><pre dir="ltr" tabindex="0">${snippet(look, at.workspace.workspace_key, addresses).markup}</pre>
<h2>${texts.consent}</h2>${formCard(view, 'consent', consentForm, texts.save)}`;
}

/**
 * The workspace's own texts in its language, each with the text that visitors see, and the page about privacy, which the
 * widget shows beside them.
 */
function consentForm(form: Form): Markup {
	const { at, texts, language } = form.view;
	const textShown = (purpose: ConsentCase): Markup =>
		html`<p class="soft">${texts.shown_as} <q>${consentText(at.workspace, language, purpose).text}</q></p>`;
	return html`${hiddenFields({ language })}<p class="soft">${fillIn(texts.consent_hint, languageName(language))}</p>
${consentCases.map((purpose) => html`${field(form, purpose)}${textShown(purpose)}`)}
${field(form, 'privacy_links')}`;
}

function lookIn({ accent = '', greeting = '' }: HttpRequest['query']): Look {
	const colour = /^#[0-9a-f]{6}$/i.test(accent) && accent !== DEFAULT_ACCENT;
	return { accent: colour ? accent : null, greeting: cutAt(visibleLine(greeting), MOST_GREETING) || null };
}

/** The look is stored in the site's own pages, by the snippet: this form only shows it. */
function lookForm({ accent, greeting }: Look, { texts }: View): Markup {
	return html`<form action="site#look"><p class="soft">${texts.look.hint}</p>
<label for="accent">${texts.look.accent}</label><input id="accent" name="accent" type="color" value="${accent ?? DEFAULT_ACCENT}">
<label for="greeting">${texts.look.greeting}</label><input id="greeting" name="greeting" maxlength="${MOST_GREETING}" placeholder="${texts.widget.title}" value="${greeting ?? ''}">
<button class="quiet">${texts.look.show}</button></form>`;
}

/** Of white and black, what has more contrast on a colour, as the widget decides it (packages/widget/look/accent.ts). */
const onColour = (colour: string): string =>
	`color(from ${colour} xyz-d65 ${[0.9505, 1, 1.089].map((white) => `clamp(0,(.18 - y)*1e4,${white})`).join(' ')})`;

/** A picture of the open widget. Attributes of SVG may colour it; the page's policy allows no inline style. */
function preview({ accent, greeting }: Look, { at, texts, language }: View): Markup {
	const { widget } = texts;
	const colour = accent ?? DEFAULT_ACCENT;
	const link = at.workspace.privacy_links[language];
	const privacy = link !== undefined && html` <a href="${link}" rel="noreferrer noopener">${widget.privacy}</a>`;
	return html`<div class="preview"><p><strong>${greeting ?? widget.title}</strong></p><p class="soft">${widget.intro}</p>
<p>${widget.phone}<span class="box"></span></p><p>${widget.name}<span class="box"></span></p>
<p class="agree"><span class="box"></span><span>${consentText(at.workspace, language, 'call').text}${privacy}</span></p>
<svg class="act" fill="#fff"><rect width="100%" height="100%" rx="12" fill="${colour}"></rect><text x="50%" y="50%" fill="${onColour(colour)}">${widget.submit}</text></svg></div>`;
}

const snippet = ({ accent, greeting }: Look, key: string, { widget_script, base_url }: ShopDeps['addresses']): Markup =>
	html`<script src="${widget_script}" data-workspace-key="${key}" data-base-url="${base_url}"${accent && html` data-accent="${accent}"`}${greeting && html` data-greeting="${greeting}"`} async></script>`;
