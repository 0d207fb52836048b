import { visibleLine } from '../../../domain/kernel/visible-line.ts';
import { type ConsentCase, consentCases, consentText } from '../../../domain/workspaces/consent-text.ts';
import { knownLanguage, type Language, languages } from '../../../domain/workspaces/language.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { sitesSeen } from '../../../use-cases/workspaces/site-use.ts';
import { copyable } from '../kit/copyable.ts';
import { field, fields, languageName } from '../kit/fields.ts';
import { enteredIn, type Form, formCard, hiddenFields, tick } from '../kit/form.ts';
import { tabs } from '../kit/tabs.ts';
import type { ShopDeps, View } from '../kit/view.ts';
import { consentSection, sitesRemoved } from './site-sections.ts';
import { seenLine } from './site-seen.ts';

const ADDRESSES = { site: 'site', look: 'site?look', consent: 'site?consent' } as const;
type Part = keyof typeof ADDRESSES;
const parts = ['site', 'look', 'consent'] as const satisfies readonly Part[];

/** The shop's site in three parts: its addresses and the snippet, the look of the widget, and what visitors agree to. */
export async function sitePage(view: View, deps: ShopDeps): Promise<Markup> {
	const { texts } = view;
	const current = partOf(view);
	const shown = { site: sitePart, look: lookPart, consent: consentPart };
	const links = parts.map((part) => ({ part, href: ADDRESSES[part], label: texts.site_parts[part] }));
	return html`${tabs(texts.pages.site, links, current)}
${await shown[current](view, deps)}`;
}

/**
 * The part of the page to show. If a form was refused, it is the part of that form, even if the form was on an older page
 * with all three parts. Otherwise it is the part that the address names.
 */
function partOf(view: View): Part {
	if (enteredIn(view, { action: 'save-look' })) return 'look';
	if (enteredIn(view, { action: 'save-consent' })) return 'consent';
	if (enteredIn(view, { action: 'save-site' })) return 'site';
	const { look, consent } = view.query;
	if (look !== undefined) return 'look';
	return consent === undefined ? 'site' : 'consent';
}

/**
 * The section of the documentation that says how to add the widget's line to a site, for each of these tools that make
 * sites.
 */
const BUILDERS = new Map([
	['WordPress', 'wordpress'],
	['Shopify', 'shopify'],
	['Wix', 'wix'],
	['Squarespace', 'squarespace'],
	['Webflow', 'webflow'],
	['Magento', 'magento'],
	['Google Tag Manager', 'a-tag-manager'],
]);

/** The addresses of the shop's site, and the snippet for its pages. */
async function sitePart(view: View, { addresses, store, docs_url = null }: ShopDeps): Promise<Markup> {
	const { texts, at } = view;
	const sites = await sitesSeen(at.workspace, { store });
	const line = snippet(at.workspace.workspace_key, addresses).markup;
	const seen = sites.map((site) => seenLine(site, view));
	return html`${seen}<div class="halves">${formCard(view, 'save-site', siteForm, texts.save)}
<section class="card" aria-labelledby="add"><h2 id="add">${texts.snippet}</h2>
<div class="copied">${copyable('snippet', line, texts)}
<a class="button quiet" href="${mailToDeveloper(line, view, docs_url)}">${texts.to_developer.send}</a></div>
${docs_url !== null && builderLinks(docs_url, view)}</section></div>`;
}

/**
 * The form with the shop's sites. If the desk has just asked whether to remove some sites, the form contains the addresses
 * of these sites in a hidden field, and the next press saves.
 */
function siteForm(form: Form): Markup {
	const { at, refusal } = form.view;
	const isAsked = form.is_current && (refusal?.problem === 'sites_removed' || refusal?.problem === 'sites_end');
	const removes = isAsked && form.entered !== null && sitesRemoved(form.entered, at.workspace).join(' ');
	return html`${fields('name', 'origins', 'language')(form)}${removes && hiddenFields({ removes })}`;
}

const snippet = (key: string, { widget_script, base_url }: ShopDeps['addresses']): Markup =>
	html`<script src="${widget_script}" data-workspace-key="${key}" data-base-url="${base_url}" async></script>`;

/**
 * The address of a link that opens a mail in the person's own mail program. The person chooses to whom the mail goes. The
 * desk itself sends nothing.
 */
function mailToDeveloper(line: string, { texts, at }: View, docsUrl: string | null): string {
	const { subject, ask, how } = texts.to_developer;
	const name = visibleLine(at.workspace.name);
	const steps = docsUrl === null ? [] : [fillIn(how, `${docsUrl}/getting-started`)];
	const body = [fillIn(ask, name), line, ...steps].join('\r\n\r\n');
	return `mailto:?subject=${encodeURIComponent(fillIn(subject, name))}&body=${encodeURIComponent(body)}`;
}

const builderLinks = (docsUrl: string, { texts }: View): Markup => {
	const links = [...BUILDERS].map(([name, section]) => {
		const href = `${docsUrl}/getting-started#${section}`;
		return html`<li><a href="${href}" rel="noreferrer"><bdi>${name}</bdi></a></li>`;
	});
	return html`<p class="label">${texts.builders}</p><ul class="links">${links}</ul>`;
};

/**
 * The form of the widget's look, with a preview beside it. The script makes the preview visible, because the widget in it
 * does not run without scripts.
 */
function lookPart(view: View): Markup {
	const { texts } = view;
	const { look } = texts;
	const phone = tick('radio', 'device', 'phone', 'phone', look.phone);
	const desktop = tick('radio', 'device', 'desktop', 'phone', look.desktop);
	return html`<div class="designer"><div>${formCard(view, 'save-look', fields('accent', 'greeting'), texts.save)}
<p class="soft">${look.hint}</p></div>
<div class="preview" hidden><fieldset class="row"><legend>${look.preview}</legend>${phone}${desktop}</fieldset>
<div class="device"><iframe src="preview" title="${look.preview}"></iframe></div></div></div>`;
}

/**
 * What visitors agree to, in one of the widget's languages, with links to the other languages. If the address names no
 * language, the page shows the team's language.
 */
function consentPart(view: View): Markup {
	const { texts, at, query } = view;
	const { language: tag } = enteredIn(view, { action: 'save-consent' }) ?? { language: query['consent'] };
	const current = knownLanguage(tag ?? '') ?? view.language;
	const links = languages.map((each) => {
		const mark = each === current && html` aria-current="true"`;
		return html`<a lang="${each}"${mark} href="site?consent=${each}">${languageName(each)}</a>`;
	});
	const about = { language: current };
	const saved = consentSection.saved(at.workspace, current);
	const form = (each: Form) => consentForm(each, current);
	return html`<h2>${texts.consent}</h2><p class="chips">${links}</p>
${formCard(view, 'save-consent', form, texts.save, { about, saved })}`;
}

/**
 * The workspace's own texts in one language, each with the text that visitors see. Below them is the address of the page
 * about privacy, which the widget shows beside the texts.
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
