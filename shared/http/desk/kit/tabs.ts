import { html, type Markup } from '../../../presentation/markup.ts';

/**
 * Links to the parts of a page, at its head. Each part has an address of its own. `name`: the name of the page, for screen
 * readers.
 */
export function tabs<P extends string>(
	name: string,
	parts: readonly { readonly part: P; readonly href: string; readonly label: string }[],
	current: P,
): Markup {
	const links = parts.map(({ part, href, label }) => {
		const mark = part === current && html` aria-current="page"`;
		return html`<li><a href="${href}"${mark}>${label}</a></li>`;
	});
	return html`<nav class="tabs" aria-label="${name}"><ul>${links}</ul></nav>`;
}
