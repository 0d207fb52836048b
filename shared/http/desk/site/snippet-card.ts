import { visibleLine } from '../../../domain/kernel/visible-line.ts';
import { DEFAULT_ACCENT, lookOf } from '../../../domain/workspaces/look.ts';
import { fillMarkup, html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { sitesSeen } from '../../../use-cases/workspaces/site-use.ts';
import { copyable } from '../kit/copyable.ts';
import type { ShopDeps, View } from '../kit/view.ts';
import { seenLine } from './site-seen.ts';

/**
 * The snippet for the pages of the shop's sites, where the widget was seen, and the steps that add the snippet to a site.
 */
export async function snippetCard(view: View, { addresses, store, docs_url = null }: ShopDeps): Promise<Markup> {
	const { texts, at } = view;
	const sites = await sitesSeen(at.workspace, { store });
	const line = snippet(at.workspace.workspace_key, addresses).markup;
	const seen = sites.map((site) => seenLine(site, view));
	return html`<section class="card" aria-labelledby="add"><h2 id="add">${texts.snippet}</h2>
<div class="copied">${copyable('snippet', line, texts)}
<a class="button quiet" href="${mailToDeveloper(line, view, docs_url)}">${texts.to_developer.send}</a></div>
${seen}<h3>${texts.builders}</h3>${guides(view, addresses, docs_url)}
<p class="soft">${fillMarkup(texts.look.from_start, colourAttribute(view))}</p></section>`;
}

/** The attribute that gives the button in the corner the shop's colour before the widget has read its configuration. */
const colourAttribute = ({ at }: View): Markup =>
	html`<code dir="ltr">${`data-accent="${lookOf(at.workspace).accent ?? DEFAULT_ACCENT}"`}</code>`;

/** One attribute a line, so that no line breaks inside a value. */
const snippet = (key: string, { widget_script, base_url }: ShopDeps['addresses']): Markup =>
	html`<script src="${widget_script}"
  data-workspace-key="${key}"
  data-base-url="${base_url}"
  async></script>`;

/** Tag managers insert a script that cannot read its own attributes. So this code creates the widget's element. */
const codeForTagManager = (key: string, { widget_script, base_url }: ShopDeps['addresses']): string => `<script>
  (function () {
    var widget = document.createElement('call-back-widget');
    widget.setAttribute('workspace-key', '${key}');
    widget.setAttribute('base-url', '${base_url}');
    document.body.appendChild(widget);
    var script = document.createElement('script');
    script.src = '${widget_script}';
    document.head.appendChild(script);
  })();
</script>`;

/**
 * The address of a link that opens a mail in the person's own mail program. The person chooses to whom the mail goes. The
 * desk itself sends nothing.
 */
function mailToDeveloper(line: string, { texts, at }: View, docsUrl: string | null): string {
	const { subject, ask, how } = texts.to_developer;
	const name = visibleLine(at.workspace.name);
	const steps = docsUrl === null ? [] : [fillIn(how, `${docsUrl}/getting-started`)];
	const body = [fillIn(ask, name), line.replaceAll('\n', '\r\n'), ...steps].join('\r\n\r\n');
	return `mailto:?subject=${encodeURIComponent(fillIn(subject, name))}&body=${encodeURIComponent(body)}`;
}

/**
 * The tools that make sites, in the groups whose steps are the same. After a tool's name comes the section of the
 * documentation that says more.
 */
const GUIDES = [
	{ steps: 'wordpress', tools: [['WordPress', 'wordpress']] },
	{ steps: 'shopify', tools: [['Shopify', 'shopify']] },
	{ steps: 'tag_manager', tools: [['Google Tag Manager', 'a-tag-manager']] },
	{ steps: 'html', tools: [['HTML', 'plain-html']] },
	{
		steps: 'others',
		tools: [
			['Wix', 'wix'],
			['Squarespace', 'squarespace'],
			['Webflow', 'webflow'],
			['Magento', 'magento'],
		],
	},
] as const;

/** For each group of tools, the steps that add the snippet, and links to the documentation. */
function guides({ texts, at }: View, addresses: ShopDeps['addresses'], docsUrl: string | null): readonly Markup[] {
	const code = codeForTagManager(at.workspace.workspace_key, addresses);
	return GUIDES.map(({ steps, tools }) => {
		const names = tools.map(([name]) => name).join(', ');
		const links = tools.map(([name, section]) => {
			const href = `${docsUrl}/getting-started#${section}`;
			return html`<li><a href="${href}" rel="noreferrer">${fillIn(texts.guides.more, name)}</a></li>`;
		});
		const items = texts.guides[steps].map((step) => html`<li>${step}</li>`);
		return html`<details class="guide" name="guide"><summary><bdi>${names}</bdi></summary><ul>${items}</ul>
${steps === 'tag_manager' && html`<div class="copied">${copyable('tag', code, texts)}</div>`}
${docsUrl !== null && html`<ul class="links">${links}</ul>`}</details>
`;
	});
}
