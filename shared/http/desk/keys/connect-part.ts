import { html, type Markup } from '../../../presentation/markup.ts';
import { copyable } from '../kit/copyable.ts';
import type { DeveloperDeps, View } from '../kit/view.ts';

/**
 * The base URL and the workspace key, which software needs in addition to an API key, each with a button that copies it.
 * Below them is a link to the documentation.
 */
export function connectPart({ texts, at }: View, { public_base_url, docs_url = null }: DeveloperDeps): Markup {
	const { title, base_url, workspace_key, docs } = texts.connect;
	return html`<h2>${title}</h2><div class="card connect"><p class="label">${base_url}</p>
<div class="copied">${copyable('base-url', public_base_url, texts)}</div>
<p class="label">${workspace_key}</p><div class="copied">${copyable('workspace-key', at.workspace.workspace_key, texts)}</div>
${docs_url !== null && html`<p><a href="${docs_url}" rel="noreferrer">${docs}</a></p>`}</div>
`;
}
