import type { DeskTexts } from '../../../presentation/desk-texts.ts';
import { html, type Markup } from '../../../presentation/markup.ts';

/**
 * A button that copies a text. The script makes the button visible. `what`: the text, or the id of the element that contains
 * it. `name`: the name of the text, for screen readers.
 */
export function copyBeside(what: { readonly text: string } | { readonly id: string }, name: string, texts: DeskTexts) {
	const { copy, copied } = texts;
	const from = 'text' in what ? html`data-text="${what.text}"` : html`data-copy="${what.id}"`;
	const says = html`data-copied="${copied}" aria-label="${copy}: ${name}"`;
	return html`<button class="quiet copy" type="button" ${from} ${says} hidden>${copy}</button>`;
}

/** A text with a button that copies it. `id`: the id of the text's element on the page. */
export const copyable = (id: string, text: string, texts: DeskTexts): Markup =>
	html`<pre dir="ltr" tabindex="0" id="${id}">${text}</pre>
<button class="quiet" type="button" data-copy="${id}" data-copied="${texts.copied}" aria-describedby="${id}" hidden>${texts.copy}</button>`;
