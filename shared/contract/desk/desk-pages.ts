// The pages of the desk, as its addresses name them.

/** Pages for the shop and for its developers, each in the order of the menu. */
export const shopPages = ['today', 'calls', 'numbers', 'hours', 'team', 'site', 'notices', 'people', 'log'] as const;
export const developerPages = ['webhooks', 'deliveries', 'keys'] as const;
export type ShopPage = (typeof shopPages)[number];
export type DeveloperPage = (typeof developerPages)[number];
export type MenuPage = ShopPage | DeveloperPage;
/** Also what the menu does not show: lists as files, and what pages load. */
export type DeskPage = MenuPage | 'desks' | 'calls.csv' | 'leads.csv' | 'sources.csv' | 'preview' | 'desk.js';

/** The part of the address that a page is below. */
export const folderOf = (page: string): 'pages' | 'developers' =>
	developerPages.some((each) => each === page) ? 'developers' : 'pages';
