import { type ConsentCase, consentCases, consentText } from '../../../domain/workspaces/consent-text.ts';
import { knownLanguage, type Language, languages } from '../../../domain/workspaces/language.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { field, languageName } from '../kit/fields.ts';
import { enteredIn, type Form, formCard } from '../kit/form.ts';
import type { View } from '../kit/view.ts';
import { consentSection } from './site-sections.ts';

/** What visitors agree to, for each language of the widget: the team's own first. */
export function consentPart(view: View): Markup {
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
