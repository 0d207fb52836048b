import { type ConsentCase, consentCases, consentText } from '../../../domain/workspaces/consent-text.ts';
import { knownLanguage, type Language, languages } from '../../../domain/workspaces/language.ts';
import { fillMarkup, html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { field, fields, languageName } from '../kit/fields.ts';
import { enteredIn, type Form, formCard, hiddenFields, tick } from '../kit/form.ts';
import { tabs } from '../kit/tabs.ts';
import type { PageContent, ShopDeps, View } from '../kit/view.ts';
import { consentSection, sitesRemoved } from './site-sections.ts';
import { snippetCard } from './snippet-card.ts';

const ADDRESSES = { site: 'site', look: 'site?look', consent: 'site?consent' } as const;
type Part = keyof typeof ADDRESSES;
const parts = ['site', 'look', 'consent'] as const satisfies readonly Part[];

/**
 * The shop's site in three parts: its addresses with the snippet before them, the look of the widget, and what visitors agree
 * to. The first part has the title of the whole page, the others have their own names.
 */
export async function sitePage(view: View, deps: ShopDeps): Promise<PageContent> {
	const { texts } = view;
	const current = partOf(view);
	const links = parts.map((part) => ({ part, href: ADDRESSES[part], label: texts.site_parts[part] }));
	const shown = {
		site: async () =>
			html`<div class="halves">${await snippetCard(view, deps)}${formCard(view, 'save-site', siteForm, texts.save)}</div>`,
		look: lookPart,
		consent: consentPart,
	};
	const all = { links, current };
	const main = html`${tabs(texts.pages.site, all)}
${await shown[current](view)}`;
	return { ...main, parts: all, ...(current !== 'site' && { title: texts.site_parts[current] }) };
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
 * The form with the shop's sites. If the desk has just asked whether to remove some sites, the form contains the addresses
 * of these sites in a hidden field, and the next press saves.
 */
function siteForm(form: Form): Markup {
	const { at, refusal } = form.view;
	const isAsked = form.is_current && (refusal?.problem === 'sites_removed' || refusal?.problem === 'sites_end');
	const removes = isAsked && form.entered !== null && sitesRemoved(form.entered, at.workspace).join(' ');
	return html`${fields('name', 'origins', 'language')(form)}${removes && hiddenFields({ removes })}`;
}

/**
 * The form of the widget's look, with a preview beside it. On a phone, the preview stays in sight above the form. The script
 * makes the preview visible, because the widget in it does not run without scripts.
 */
function lookPart(view: View): Markup {
	const { texts } = view;
	const { look } = texts;
	const phone = tick('radio', 'device', 'phone', 'phone', look.phone);
	const desktop = tick('radio', 'device', 'desktop', 'phone', look.desktop);
	const site = html`<a href="${ADDRESSES.site}">${texts.site_parts.site}</a>`;
	return html`<div class="designer"><div>${formCard(view, 'save-look', fields('accent', 'greeting'), texts.save)}
<noscript><p class="soft">${look.no_script}</p></noscript><p class="soft">${fillMarkup(look.hint, site)}</p>
<p class="soft">${look.font}</p></div>
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
