import { visibleLine } from '../../../domain/kernel/visible-line.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { sitesSeen } from '../../../use-cases/workspaces/site-use.ts';
import { copyable } from '../kit/copyable.ts';
import { fields } from '../kit/fields.ts';
import { type Form, formCard, hiddenFields } from '../kit/form.ts';
import type { ShopDeps, View } from '../kit/view.ts';
import { sitesRemoved } from './site-sections.ts';
import { seenText } from './site-seen.ts';

/** Where the documentation says how to add a line to a site that was made with each of these. */
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
export async function sitePart(view: View, { addresses, store, docs_url = null }: ShopDeps): Promise<Markup> {
	const { texts, at } = view;
	const sites = await sitesSeen(at.workspace, { store });
	const line = snippet(at.workspace.workspace_key, addresses).markup;
	return html`<div class="halves">${formCard(view, 'save-site', siteForm, texts.save)}
<section class="card" aria-labelledby="add"><h2 id="add">${texts.snippet}</h2>
<div class="copied">${copyable('snippet', line, texts)}
<a class="button quiet" href="${mailToDeveloper(line, view, docs_url)}">${texts.to_developer.send}</a></div>
${docs_url !== null && builderLinks(docs_url, view)}
${sites.map((site) => html`<p class="soft">${seenText(site, view)}</p>`)}</section></div>`;
}

/** Once the form was asked about sites that it leaves out, it says so, and saves. */
function siteForm(form: Form): Markup {
	const { at, refusal } = form.view;
	const isAsked = form.is_current && (refusal?.problem === 'sites_removed' || refusal?.problem === 'sites_end');
	const removes = isAsked && form.entered !== null && sitesRemoved(form.entered, at.workspace).join(' ');
	return html`${fields('name', 'origins', 'language')(form)}${removes && hiddenFields({ removes })}`;
}

const snippet = (key: string, { widget_script, base_url }: ShopDeps['addresses']): Markup =>
	html`<script src="${widget_script}" data-workspace-key="${key}" data-base-url="${base_url}" async></script>`;

/** A mail in the person's own program, to a person they choose: the desk sends nothing. */
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
