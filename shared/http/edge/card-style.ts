import { BASE_STYLE } from './base-style.ts';
import { styleSheet } from './style-sheet.ts';

/** The look of one card on its own. */
export const CARD_STYLE = BASE_STYLE + styleSheet(import.meta.dirname, 'card.css');
