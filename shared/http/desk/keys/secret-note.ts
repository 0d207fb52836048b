import { html, type Markup } from '../../../presentation/markup.ts';
import { showOnce } from '../../../use-cases/desk/shown-once.ts';
import { copyable } from '../kit/copyable.ts';
import type { PageDeps, View } from '../kit/view.ts';

/**
 * A note with the secret that the last form made. Only the first load of the page shows the secret. `madeWhat` returns a
 * sentence about what was made, for the id of the key or endpoint.
 */
export async function secretNote(
	{ texts, query, at }: View,
	deps: PageDeps,
	madeWhat: (id: string) => Promise<Markup>,
): Promise<Markup | false> {
	if (query['made'] === undefined) return false;
	const fresh = await showOnce(at, query['made'], deps);
	if (fresh === null) return html`<div class="note" role="status"><p>${texts.secret.was_shown}</p></div>`;
	return html`<div class="note" role="status"><p><strong>${await madeWhat(fresh.resource_id)}</strong></p>
<p>${texts.secret.copy}</p>${copyable('secret', fresh.secret, texts)}</div>`;
}
