import { join } from 'node:path';
import { developerPages } from '../../../contract/desk/desk-pages.ts';
import { BASE_STYLE } from '../../edge/base-style.ts';
import { styleSheet } from '../../edge/style-sheet.ts';

/** The style of the desk. It is like the style of the other pages for teams, but wider, and designed for phones first. */
const DESK_STYLE = BASE_STYLE + styleSheet(import.meta.dirname, 'desk.css');
const FOLDER = join(import.meta.dirname, 'page-styles');
const sheets = (...names: readonly string[]): string =>
	DESK_STYLE + names.map((name) => styleSheet(FOLDER, `${name}.css`)).join('');
const DEVELOPERS = sheets('save', 'facts', 'filters', 'failures', 'table', 'developers');
/** The styles of parts that only one page or only the developers' pages have. Other pages are smaller without them. */
const OF_PAGE = new Map<string, string>([
	...['hours', 'notices', 'site'].map((page) => [page, sheets('save', page)] as const),
	...['people', 'log'].map((page) => [page, sheets('table', page)] as const),
	['team', sheets('save', 'table', 'team')] as const,
	['calls', sheets('facts', 'filters', 'calls')] as const,
	['numbers', sheets('facts', 'numbers')] as const,
	['today', sheets('failures', 'today')] as const,
	...developerPages.map((page) => [page, DEVELOPERS] as const),
]);

/** The style of a page of the desk. Null: a page that needs only the style that all pages share. */
export const styleOf = (page: string | null): string => OF_PAGE.get(page ?? '') ?? DESK_STYLE;
