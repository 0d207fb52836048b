// The pages of the desk, by the names that they have in their addresses.

/** The pages for the shop and the pages for its developers, each in the order of the menu. */
export const shopPages = ['today', 'calls', 'numbers', 'hours', 'team', 'site', 'notices', 'people', 'log'] as const;
export const developerPages = ['webhooks', 'deliveries', 'keys'] as const;
export type ShopPage = (typeof shopPages)[number];
export type DeveloperPage = (typeof developerPages)[number];
export type MenuPage = ShopPage | DeveloperPage;
/** The pages of the menu, and other pages and files of the desk that are not in the menu. */
export type DeskPage = MenuPage | 'desks' | 'calls.csv' | 'leads.csv' | 'sources.csv' | 'preview' | 'desk.js';

export const isMenuPage = (page: DeskPage): page is MenuPage =>
	[...shopPages, ...developerPages].some((each) => each === page);

/** The folder of a page in its address. */
export const folderOf = (page: string): 'pages' | 'developers' =>
	developerPages.some((each) => each === page) ? 'developers' : 'pages';
