import type { DeskPage } from '../../../contract/desk/desk-pages.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import type { Layout } from '../../edge/page.ts';
import { styleOf } from './desk-style.ts';

/**
 * The layout of a page. For a person without a session, `top` is null, and the page has no menu. `page`: the page whose style
 * is added. Null: the page needs only the style that all pages share.
 */
export const layoutWith = (
	top: Markup | null,
	page: DeskPage | null = null,
	loads: readonly string[] = [],
): Layout => ({
	loads,
	style: styleOf(page),
	body: (title, main) => html`${top}<main id="main"${top === null && html` class="alone"`}><h1>${title}</h1>
${main}</main>`,
	referrer: 'same-origin',
});
