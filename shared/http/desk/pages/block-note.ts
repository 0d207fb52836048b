import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { findBlock } from '../../../use-cases/leads/blocked-address.ts';
import { shortTime } from './desk-words.ts';
import type { PageDeps, View } from './frame.ts';

/** Says below a mail address why it gets no mail; false: nothing is known against it. */
export async function blockNote(address: string, view: View, deps: PageDeps): Promise<Markup | false> {
	const block = await findBlock(address, deps);
	if (block === null) return false;
	const words = fillIn(view.texts.blocked[block.reason], shortTime(block.noticed_at, view));
	return html`<p class="missed">${words}</p>`;
}
