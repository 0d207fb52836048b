import { BASE_STYLE } from '../../edge/base-style.ts';
import { styleSheet } from '../../edge/style-sheet.ts';

/** The look of the desk: that of the team's pages, wider, for a phone first. */
export const DESK_STYLE = BASE_STYLE + styleSheet(import.meta.dirname, 'desk.css');
