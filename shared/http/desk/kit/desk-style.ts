import { BASE_STYLE } from '../../edge/base-style.ts';
import { styleSheet } from '../../edge/style-sheet.ts';

/** The look of the desk: like the team's pages, but wider, and for a phone first. */
export const DESK_STYLE = BASE_STYLE + styleSheet(import.meta.dirname, 'desk.css');
