import { html, type Markup } from '../../../presentation/markup.ts';
import type { Layout } from '../../edge/page.ts';
import { DESK_STYLE } from './desk-style.ts';

/** The layout of a page. For a person without a session, `top` is null, and the page has no menu. */
export const layoutWith = (top: Markup | null, loads: readonly string[] = []): Layout => ({
	loads,
	style: DESK_STYLE,
	body: (title, main) => html`${top}<main id="main"${top === null && html` class="alone"`}><h1>${title}</h1>
${main}</main>`,
	referrer: 'same-origin',
});
