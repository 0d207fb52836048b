import type { DeskTexts } from '../../../presentation/desk-texts.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import type { View } from './view.ts';

/**
 * A note above a list: the address of the page names a thing that does not exist, or that was deleted. False if the address names
 * nothing.
 */
export const noSuch = (kind: keyof DeskTexts['no_such'], id: string, { texts }: View): Markup | false =>
	id !== '' &&
	html`<p class="note bad" role="status">${texts.no_such[kind]}</p>
`;
