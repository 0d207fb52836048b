import { BASE_STYLE } from '../../edge/base-style.ts';
import { styleSheet } from '../../edge/style-sheet.ts';

/** The style of the desk. It is like the style of the other pages for teams, but wider, and designed for phones first. */
export const DESK_STYLE = BASE_STYLE + styleSheet(import.meta.dirname, 'desk.css');
