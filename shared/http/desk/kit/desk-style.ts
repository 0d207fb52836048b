import { join } from 'node:path';
import { BASE_STYLE } from '../../edge/base-style.ts';
import { styleSheet } from '../../edge/style-sheet.ts';

/** The style of the desk. It is like the style of the other pages for teams, but wider, and designed for phones first. */
const DESK_STYLE = BASE_STYLE + styleSheet(import.meta.dirname, 'desk.css');
const FOLDER = join(import.meta.dirname, 'page-styles');
/** The styles of parts that only one page has. Other pages are smaller without them. */
const OF_PAGE = new Map(
	['calls', 'hours', 'numbers', 'site'].map((page) => [page, DESK_STYLE + styleSheet(FOLDER, `${page}.css`)]),
);

/** The style of a page of the desk. Null: a page that needs only the style that all pages share. */
export const styleOf = (page: string | null): string => OF_PAGE.get(page ?? '') ?? DESK_STYLE;
