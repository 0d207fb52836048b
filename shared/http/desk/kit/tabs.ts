import { html, type Markup } from '../../../presentation/markup.ts';

/** The parts of a page, each with an address of its own, as links at its head. `name`: of the page, for screen readers. */
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
