import {
	type DeskPage,
	developerPages,
	folderOf,
	type MenuPage,
	shopPages,
} from '../../../contract/desk/desk-pages.ts';
import type { DeskTexts } from '../../../presentation/desk-texts.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { numberIn } from '../../../presentation/team-words.ts';
import { maySee } from '../actions.ts';
import { menuIcon } from './menu-icons.ts';
import { type Parts, partList } from './tabs.ts';
import type { View } from './view.ts';

const [today, calls, numbers, ...settings] = shopPages;
const [WEBHOOKS] = developerPages;
const daily: readonly MenuPage[] = [today, calls, numbers];
const groups = [
	{ name: 'settings', pages: settings },
	{ name: 'developers', pages: developerPages },
] as const satisfies readonly { readonly name: keyof DeskTexts['groups']; readonly pages: readonly MenuPage[] }[];

/**
 * The menu of a person: the daily pages, and groups with the other pages. On a wide screen, the menu stands beside the page.
 * On a phone, the daily pages are a bar at the bottom, and *More* shows the groups. A press beside the groups, or on *More*,
 * is a press on the link that closes them (see desk.css). `failing`: how many endpoints fail.
 * *Webhooks* has this number as a mark, and *More* too if *Webhooks* is in a group. `parts`: the parts of the page. On a wide
 * screen, the menu shows them below the page.
 */
export function deskMenu(
	page: DeskPage,
	{ at: { person }, texts, language }: View,
	{ failing, parts }: { readonly failing: number; readonly parts: Parts | undefined },
): Markup {
	const mark =
		failing > 0 &&
		html` <b class="mark">${numberIn(language)(failing)}<span class="unseen"> (${texts.webhooks.failing})</span></b>`;
	const link = (to: MenuPage): Markup => {
		const current = to === page && html` aria-current="page"`;
		const label = html`${menuIcon(to)}<span>${menuLabel(to, texts)}</span>${to === WEBHOOKS && mark}`;
		const second = to === page && parts !== undefined && partList(parts);
		return html`<li><a href="../${folderOf(to)}/${to}"${current}>${label}</a>${second}</li>`;
	};
	const own = (pages: readonly MenuPage[]) => pages.filter((each) => maySee(person, each));
	// A developer sees none of the daily pages, so the developers' pages take their place.
	const first = [daily, developerPages].map(own).find((pages) => pages.length > 0) ?? [];
	const rest = groups
		.map(({ name, pages }) => ({ name, pages: own(pages).filter((each) => !first.includes(each)) }))
		.filter(({ pages }) => pages.length > 0);
	const isInRest = rest.some(({ pages }) => pages.some((each) => each === page));
	const current = isInRest && html` aria-current="true"`;
	const isMarked = rest.some(({ pages }) => pages.includes(WEBHOOKS));
	const label = html`${menuIcon('more')}<span>${texts.menu.more}</span>${isMarked && mark}`;
	const more = html`<li class="more"><a href="#more"${current}>${label}</a></li>`;
	const lists = rest.map(
		({ name, pages }) => html`<h2>${texts.groups[name]}</h2><ul>${pages.map((each) => link(each))}</ul>`,
	);
	return html`<nav id="menu" aria-label="${texts.desk}"><ul class="bar">${first.map((each) => link(each))}${rest.length > 0 && more}</ul>
${rest.length > 0 && html`<div id="more">${lists}<p class="more"><a href="#menu">${texts.menu.close}</a></p></div>`}</nav>`;
}

/** The label of a page in the menu. It is the page's title. Only the page of calls has a shorter label. */
export const menuLabel = (page: MenuPage, { calls: allCalls, pages }: DeskTexts): string =>
	page === calls ? allCalls : pages[page];
