import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MenuPage } from '../../../contract/desk/desk-pages.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import type names from './menu-icons.json';

// The lines of each icon, on a square of 24 by 24 units. The build copies the file next to the function's bundle.
const lines: typeof names = JSON.parse(readFileSync(join(import.meta.dirname, 'menu-icons.json'), 'utf8'));

/** The icon of a page in the menu. It stands beside the page's name, so screen readers skip it. */
export const menuIcon = (name: MenuPage | 'more'): Markup =>
	html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${lines[name]}"/></svg>`;
