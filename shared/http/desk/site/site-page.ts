import { type ConsentCase, consentCases, consentText } from '../../../domain/workspaces/consent-text.ts';
import { knownLanguage, type Language, languages } from '../../../domain/workspaces/language.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { sitesSeen } from '../../../use-cases/workspaces/site-use.ts';
import { copyable, copyScript } from '../kit/copyable.ts';
import { field, fields, languageName } from '../kit/fields.ts';
import { enteredIn, type Form, formCard, hiddenFields } from '../kit/form.ts';
import type { ShopDeps, View } from '../kit/view.ts';
import { consentSection, sitesRemoved } from './site-sections.ts';
import { seenText } from './site-seen.ts';

/** The shop's site: its addresses, the snippet, the look of the widget, and what visitors agree to. */
export async function sitePage(view: View, { addresses, store }: ShopDeps): Promise<Markup> {
	const { texts, at } = view;
	const { look } = texts;
	const sites = await sitesSeen(at.workspace, { store });
	return html`${formCard(view, 'save-site', siteForm, texts.save)}
<h2>${texts.snippet}</h2>
${copyable('snippet', snippet(at.workspace.workspace_key, addresses).markup, texts)}
${sites.map((site) => html`<p class="soft">${seenText(site, view)}</p>`)}
<h2>${look.title}</h2><p class="soft">${look.hint}</p>
<div class="columns">${formCard(view, 'save-look', fields('accent', 'greeting'), texts.save)}
<iframe src="preview" title="${look.preview}" hidden></iframe></div>
<h2 id="consent">${texts.consent}</h2>${consentCard(view)}${copyScript()}`;
}

/** Once the form was asked about sites that it leaves out, it says so, and saves. */
function siteForm(form: Form): Markup {
	const { at, refusal } = form.view;
	const isAsked = form.is_current && (refusal?.problem === 'sites_removed' || refusal?.problem === 'sites_end');
	const removes = isAsked && form.entered !== null && sitesRemoved(form.entered, at.workspace).join(' ');
	return html`${fields('name', 'origins', 'language')(form)}${removes && hiddenFields({ removes })}`;
}

/** What visitors agree to, for each language of the widget: the team's own first. */
function consentCard(view: View): Markup {
	const { texts, at, query } = view;
	const { language: tag } = enteredIn(view, { action: 'save-consent' }) ?? { language: query['consent'] };
	const current = knownLanguage(tag ?? '') ?? view.language;
	const links = languages.map((each) => {
		const mark = each === current ? html`class="button" aria-current="true"` : html`class="button quiet"`;
		return html`<a ${mark} lang="${each}" href="site?consent=${each}#consent">${languageName(each)}</a>`;
	});
	const about = { language: current };
	const saved = consentSection.saved(at.workspace, current);
	const form = (each: Form) => consentForm(each, current);
	return html`<p class="row">${links}</p>${formCard(view, 'save-consent', form, texts.save, { about, saved })}`;
}

/**
 * The workspace's own texts in a language, each with the text that visitors see, and the page about privacy, which the
 * widget shows beside them.
 */
function consentForm(form: Form, language: Language): Markup {
	const { at, texts } = form.view;
	const textOf = (purpose: ConsentCase): Markup => {
		const shown = html`<q lang="${language}">${consentText(at.workspace, language, purpose).text}</q>`;
		const covers = purpose === 'call' && field(form, 'covers');
		return html`${field(form, purpose)}<p class="soft">${texts.shown_as} ${shown}</p>${covers}`;
	};
	return html`<p class="soft">${fillIn(texts.consent_hint, languageName(language, form.view.language))}</p>
${consentCases.map(textOf)}
${field(form, 'privacy_links')}`;
}

const snippet = (key: string, { widget_script, base_url }: ShopDeps['addresses']): Markup =>
	html`<script src="${widget_script}" data-workspace-key="${key}" data-base-url="${base_url}" async></script>`;
