import { html, type Markup } from '../../../presentation/markup.ts';
import { copyScript } from '../kit/copyable.ts';
import { enteredIn } from '../kit/form.ts';
import { tabs } from '../kit/tabs.ts';
import type { ShopDeps, View } from '../kit/view.ts';
import { consentPart } from './consent-part.ts';
import { lookPart } from './look-part.ts';
import { sitePart } from './site-part.ts';

const ADDRESSES = { site: 'site', look: 'site?look', consent: 'site?consent' } as const;
type Part = keyof typeof ADDRESSES;
const parts = ['site', 'look', 'consent'] as const satisfies readonly Part[];

/** The shop's site in three parts: its addresses and the snippet, the look of the widget, and what visitors agree to. */
export async function sitePage(view: View, deps: ShopDeps): Promise<Markup> {
	const { texts } = view;
	const current = partOf(view);
	const shown = { site: sitePart, look: lookPart, consent: consentPart };
	const links = parts.map((part) => ({ part, href: ADDRESSES[part], label: texts.site_parts[part] }));
	return html`${tabs(texts.pages.site, links, current)}
${await shown[current](view, deps)}${copyScript()}`;
}

/** The part of the form that was refused, also of a page that had all three; otherwise the one that the address names. */
function partOf(view: View): Part {
	if (enteredIn(view, { action: 'save-look' })) return 'look';
	if (enteredIn(view, { action: 'save-consent' })) return 'consent';
	if (enteredIn(view, { action: 'save-site' })) return 'site';
	const { look, consent } = view.query;
	if (look !== undefined) return 'look';
	return consent === undefined ? 'site' : 'consent';
}
