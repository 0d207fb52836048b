import { styleSheet } from './style-sheet.ts';

/** Colours and type of every page for people. */
export const BASE_STYLE = styleSheet(import.meta.dirname, 'base.css');
