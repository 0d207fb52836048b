import { sectionSeen } from '../../../domain/desk/section.ts';
import { type ConsentCase, consentCases, consentText } from '../../../domain/workspaces/consent-text.ts';
import { languageOf, languages } from '../../../domain/workspaces/language.ts';
import { escaped, html, type Markup } from '../../../presentation/markup.ts';
import { filled } from '../../../presentation/team-texts.ts';
import type { HttpResponse } from '../../response.ts';
import { deskPage, hidden, languageName, type View } from './frame.ts';

/** Where the widget is served and where it reaches the API. */
export type SiteAddresses = { readonly widget_script: string; readonly base_url: string };

/** The shop's site: its addresses, the snippet, and what visitors agree to. */
export function sitePage(view: View, addresses: SiteAddresses): HttpResponse {
	const { at, texts } = view;
	const { workspace } = at;
	const main = html`<form method="post" class="card">${hidden(view, { act: 'site', seen: sectionSeen('site', workspace) })}
<label for="name">${texts.shop_name}</label><input id="name" name="name" required maxlength="100" value="${workspace.name}">
<label for="origins">${texts.origins}</label><p class="soft" id="origins-hint">${texts.origins_hint}</p>
<textarea id="origins" name="origins" rows="3" dir="ltr" aria-describedby="origins-hint" spellcheck="false">${workspace.origins.join('\n')}</textarea>
<label for="language">${texts.language}</label><select id="language" name="language">${languages.map((each) => html`<option value="${each}"${{ markup: each === languageOf(workspace) ? ' selected' : '' }}>${languageName(each)}</option>`)}</select>
<button>${texts.save}</button></form>
<h2>${texts.snippet}</h2><pre dir="ltr" tabindex="0">${snippet(workspace.workspace_key, addresses)}</pre>
<h2>${texts.consent}</h2><form method="post" class="card">${hidden(view, { act: 'consent', seen: sectionSeen('consent', workspace) })}
${consentCases.map((purpose) => consentField(purpose, view))}
${privacyField(view)}
<button>${texts.save}</button></form>`;
	return deskPage(view, 'site', main);
}

function snippet(key: string, { widget_script, base_url }: SiteAddresses): string {
	return `<script src="${escaped(widget_script)}" data-workspace-key="${key}" data-base-url="${escaped(base_url)}" async></script>`;
}

/** The workspace's own text in its language; the text that visitors see is below it. */
function consentField(purpose: ConsentCase, { at, texts, language }: View): Markup {
	const { workspace } = at;
	const label = purpose === 'call' ? texts.consent_call : texts.consent_lead;
	const own = workspace.consent_texts?.[language]?.[purpose] ?? '';
	const id = `consent-${purpose}`;
	return html`<label for="${id}">${label}</label><p class="soft" id="${`${id}-hint`}">${filled(texts.consent_hint, languageName(language))}</p>
<textarea id="${id}" name="${purpose}" rows="3" maxlength="2000" aria-describedby="${`${id}-hint`}">${own}</textarea>
<p class="soft">${texts.shown_as} <q>${consentText(workspace, language, purpose).text}</q></p>`;
}

/** The page about privacy in the workspace's language; the widget shows it beside the consent. */
function privacyField({ at, texts, language }: View): Markup {
	const link = at.workspace.privacy_links?.[language] ?? '';
	return html`<label for="privacy-link">${texts.privacy_link}</label><p class="soft" id="privacy-link-hint">${filled(texts.privacy_link_hint, languageName(language))}</p>
<input id="privacy-link" name="privacy_link" type="url" dir="ltr" maxlength="2048" value="${link}" aria-describedby="privacy-link-hint">`;
}
