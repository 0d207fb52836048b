import { styleSheet } from './style-sheet.ts';

/** The colours and the fonts of every page that people open. */
export const BASE_STYLE = styleSheet(import.meta.dirname, 'base.css');
