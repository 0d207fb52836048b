import { BASE_STYLE } from './base-style.ts';
import { styleSheet } from './style-sheet.ts';

/** The style of a page that shows only one card. */
export const CARD_STYLE = BASE_STYLE + styleSheet(import.meta.dirname, 'card.css');
