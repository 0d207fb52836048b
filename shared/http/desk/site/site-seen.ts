import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import type { sitesSeen } from '../../../use-cases/workspaces/site-use.ts';
import { shortTime } from '../kit/times.ts';
import type { View } from '../kit/view.ts';

type Seen = Awaited<ReturnType<typeof sitesSeen>>[number];

/** When a site last showed the widget, in words. */
export function seenText({ origin, seen_at }: Seen, view: View): string {
	const { at, never } = view.texts.seen;
	const { host } = new URL(origin);
	return seen_at === null ? fillIn(never, host) : fillIn(at, host, shortTime(seen_at, view));
}

/** The sentence of `seenText` with a dot before it. The dot is filled if the site has shown the widget. */
export const seenLine = (site: Seen, view: View): Markup =>
	html`<p class="seen"><span class="${site.seen_at === null ? 'dot' : 'dot on'}"></span>${seenText(site, view)}</p>
`;
