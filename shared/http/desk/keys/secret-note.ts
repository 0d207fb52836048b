import { html, type Markup } from '../../../presentation/markup.ts';
import { showOnce } from '../../../use-cases/desk/shown-once.ts';
import { copyable } from '../kit/copyable.ts';
import type { PageDeps, View } from '../kit/view.ts';

/**
 * The secret that the last form made, the first time that its page is shown. `nameOf`: the name of its key or endpoint, by
 * id.
 */
export async function secretNote(
	{ texts, query, at }: View,
	deps: PageDeps,
	nameOf: (id: string) => Promise<Markup>,
): Promise<Markup | false> {
	if (query['made'] === undefined) return false;
	const fresh = await showOnce(at, query['made'], deps);
	if (fresh === null) return html`<div class="note" role="status"><p>${texts.secret.was_shown}</p></div>`;
	return html`<div class="note" role="status"><p><strong><bdi>${await nameOf(fresh.resource_id)}</bdi></strong></p>
<p>${texts.secret.copy}</p>${copyable('secret', fresh.secret, texts)}</div>`;
}
