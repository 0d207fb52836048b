import { html, type Markup } from '../../../presentation/markup.ts';

/** The parts of a page. Each part has an address of its own. */
export type Parts<P extends string = string> = {
	readonly links: readonly { readonly part: P; readonly href: string; readonly label: string }[];
	readonly current: P;
};

/**
 * Links to the parts of a page, at its head. On a wide screen, the menu has these links below the link of the page instead.
 * `name`: the name of the page, for screen readers.
 */
export const tabs = (name: string, parts: Parts): Markup =>
	html`<nav class="tabs" aria-label="${name}">${partList(parts)}</nav>`;

/** The links to the parts of a page as a list. */
export const partList = ({ links, current }: Parts): Markup =>
	html`<ul>${links.map(({ part, href, label }) => {
		const mark = part === current && html` aria-current="page"`;
		return html`<li><a href="${href}"${mark}>${label}</a></li>`;
	})}</ul>`;
