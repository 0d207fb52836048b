import {
	type DeskPage,
	developerPages,
	folderOf,
	type MenuPage,
	shopPages,
} from '../../../contract/desk/desk-pages.ts';
import type { DeskPerson } from '../../../domain/workspaces/desk-person.ts';
import type { DeskTexts } from '../../../presentation/desk-texts.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { maySee } from '../roles.ts';

const [today, numbers, ...settings] = shopPages;
/** What the menu shows first. A group of several pages leads to its first one, and then shows them all. */
const groups: readonly { readonly name: keyof DeskTexts['groups'] | null; readonly pages: readonly MenuPage[] }[] = [
	{ name: null, pages: [today] },
	{ name: null, pages: [numbers] },
	{ name: 'settings', pages: settings },
	{ name: 'developers', pages: developerPages },
];

/** The menu of a person: the groups with a page that the person may see, and below them the pages of the current group. */
export function deskMenu(page: DeskPage, person: DeskPerson, texts: DeskTexts): Markup {
	const link = (to: MenuPage, label: string, current: 'page' | 'true' | null): Markup =>
		html`<li><a href="../${folderOf(to)}/${to}"${current && html` aria-current="${current}"`}>${label}</a></li>`;
	const own = groups.map(({ name, pages }) => ({ name, pages: pages.filter((each) => maySee(person, each)) }));
	const isIn = (pages: readonly MenuPage[]): boolean => pages.some((each) => each === page);
	const tops = own.flatMap(({ name, pages }) => {
		const [first, second] = pages;
		if (first === undefined) return [];
		if (name === null || second === undefined) return [link(first, texts.pages[first], isIn(pages) ? 'page' : null)];
		return [link(first, texts.groups[name], isIn(pages) ? 'true' : null)];
	});
	const within = own.find(({ pages }) => isIn(pages))?.pages ?? [];
	const below = within.map((each) => link(each, texts.pages[each], each === page ? 'page' : null));
	return html`<nav aria-label="${texts.desk}"><ul>${tops}</ul>${within.length > 1 && html`<ul>${below}</ul>`}</nav>`;
}
