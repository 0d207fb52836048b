import { visibleLine } from '../../../domain/kernel/visible-line.ts';
import { type ConsentCase, consentCases, consentText } from '../../../domain/workspaces/consent-text.ts';
import { languages } from '../../../domain/workspaces/language.ts';
import { escapeMarkup, html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { sections, seenOf } from '../../desk/sections.ts';
import type { HttpRequest } from '../../request.ts';
import type { HttpResponse } from '../../response.ts';
import { type Form, formCard, selectField, textField } from './fields.ts';
import { deskPage, languageName, type View } from './frame.ts';

/** Where the widget is served and where it reaches the API. */
export type SiteAddresses = { readonly widget_script: string; readonly base_url: string };
/** The look that the snippet sets; null: the default. */
type Look = { readonly accent: string | null; readonly greeting: string | null };

/** The widget's own colour in light pages. */
const DEFAULT_ACCENT = '#0a6c4d';
const MOST_GREETING = 120;

/** The shop's site: its addresses, the snippet with the look of the widget, and what visitors agree to. */
export function sitePage(view: View, addresses: SiteAddresses, query: HttpRequest['query']): HttpResponse {
	const { texts } = view;
	const { workspace } = view.at;
	const form = (act: 'site' | 'consent'): Form => {
		return { view, act, saved: sections[act].saved(workspace), seen: seenOf(act, workspace) };
	};
	const [site, consent, look] = [form('site'), form('consent'), lookIn(query)];
	const fields = html`${textField(site, 'name', { label: texts.shop_name, more: ' required maxlength="100"' })}
${textField(site, 'origins', { label: texts.origins, hint: texts.origins_hint, rows: 3, more: ' dir="ltr" spellcheck="false"' })}
${selectField(
	site,
	'language',
	texts.language,
	languages.map((each) => [each, languageName(each)]),
)}`;
	const main = html`${formCard(site, fields, texts.save)}
<h2 id="look">${texts.look.title}</h2><div class="card columns">${lookForm(look, view)}${preview(look, view)}</div>
<h2>${texts.snippet}</h2><pre dir="ltr" tabindex="0">${snippet(look, workspace.workspace_key, addresses)}</pre>
<h2>${texts.consent}</h2>${formCard(
		consent,
		[...consentCases.map((purpose) => consentField(consent, purpose)), privacyField(consent)],
		texts.save,
	)}`;
	return deskPage(view, 'site', main);
}

function lookIn({ accent = '', greeting = '' }: HttpRequest['query']): Look {
	const colour = /^#[0-9a-f]{6}$/i.test(accent) && accent !== DEFAULT_ACCENT;
	return { accent: colour ? accent : null, greeting: visibleLine(greeting).slice(0, MOST_GREETING) || null };
}

/** The look is stored in the site's own pages, by the snippet: this form only shows it. */
function lookForm({ accent, greeting }: Look, { texts }: View): Markup {
	return html`<form action="site#look"><p class="soft">${texts.look.hint}</p>
<label for="accent">${texts.look.accent}</label><input id="accent" name="accent" type="color" value="${accent ?? DEFAULT_ACCENT}">
<label for="greeting">${texts.look.greeting}</label><input id="greeting" name="greeting" maxlength="${`${MOST_GREETING}`}" placeholder="${texts.widget.title}" value="${greeting ?? ''}">
<button class="quiet">${texts.look.show}</button></form>`;
}

/** A picture of the open widget. Attributes of SVG may colour it; the page's policy allows no inline style. */
function preview({ accent, greeting }: Look, { at, texts, language }: View): Markup {
	const { widget } = texts;
	const colour = accent ?? DEFAULT_ACCENT;
	const link = at.workspace.privacy_links?.[language];
	const privacy =
		link === undefined ? html`` : html` <a href="${link}" rel="noreferrer noopener">${widget.privacy}</a>`;
	return html`<div class="preview"><p><strong>${greeting ?? widget.title}</strong></p><p class="soft">${widget.intro}</p>
<p>${widget.phone}<span class="box"></span></p><p>${widget.name}<span class="box"></span></p>
<p class="agree"><span class="box"></span><span>${consentText(at.workspace, language, 'call').text}${privacy}</span></p>
<p class="${isDark(colour) ? 'act' : 'act light'}"><svg preserveAspectRatio="none" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" fill="${colour}"></rect></svg><span>${widget.submit}</span></p></div>`;
}

/** Whether white text on a colour has the contrast of 4.5 to 1, as the widget decides it (WCAG's relative luminance). */
function isDark(colour: string): boolean {
	const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
		const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
		return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.18;
}

function snippet({ accent, greeting }: Look, key: string, { widget_script, base_url }: SiteAddresses): string {
	const attributes = [
		['src', widget_script],
		['data-workspace-key', key],
		['data-base-url', base_url],
		...(accent === null ? [] : [['data-accent', accent]]),
		...(greeting === null ? [] : [['data-greeting', greeting]]),
	];
	return `<script ${attributes.map(([name, value = '']) => `${name}="${escapeMarkup(value)}"`).join(' ')} async></script>`;
}

/** The workspace's own text in its language; the text that visitors see is below it. */
function consentField(form: Form, purpose: ConsentCase): Markup {
	const { at, texts, language } = form.view;
	const label = purpose === 'call' ? texts.consent_call : texts.consent_lead;
	const hint = fillIn(texts.consent_hint, languageName(language));
	return html`${textField(form, purpose, { label, hint, rows: 3, more: ' maxlength="2000"' })}
<p class="soft">${texts.shown_as} <q>${consentText(at.workspace, language, purpose).text}</q></p>`;
}

/** The field for the address of the privacy policy, to which the widget links beside the consent. */
function privacyField(form: Form): Markup {
	const { texts, language } = form.view;
	const hint = fillIn(texts.privacy_link_hint, languageName(language));
	return textField(form, 'privacy_link', {
		label: texts.privacy_link,
		hint,
		more: ' type="url" dir="ltr" maxlength="2048"',
	});
}
