import type { DeskTexts } from '../../../presentation/desk-texts.ts';
import { html, type Markup } from '../../../presentation/markup.ts';

/** A text to copy, with a button that the script shows. `id`: of the text, on its page. */
export const copyable = (id: string, text: string, { copy, copied }: DeskTexts): Markup =>
	html`<pre dir="ltr" tabindex="0" id="${id}">${text}</pre>
<button class="quiet" type="button" data-copy="${id}" data-copied="${copied}" aria-live="polite"
aria-describedby="${id}" hidden>${copy}</button>`;
