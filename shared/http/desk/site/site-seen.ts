import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import type { sitesSeen } from '../../../use-cases/workspaces/site-use.ts';
import { dayTime } from '../kit/times.ts';
import type { View } from '../kit/view.ts';

type Seen = Awaited<ReturnType<typeof sitesSeen>>[number];

/**
 * A site that shows the widget is noted at most once a day, so a note that is a day older than a week means that no one has
 * opened the widget for a week.
 */
const LIVE_MS = 8 * 24 * 3_600_000;

/** Whether a site shows the widget, and when it was noted, in words. */
export function seenText(site: Seen, view: View): string {
	const { at, old, never } = view.texts.seen;
	const { host } = new URL(site.origin);
	if (site.seen_at === null) return fillIn(never, host);
	return fillIn(isLive(site, view) ? at : old, host, dayTime(site.seen_at, view));
}

/** The sentence of `seenText` with a dot before it. The dot is filled if the site has shown the widget lately. */
export const seenLine = (site: Seen, view: View): Markup =>
	html`<p class="seen"><span class="${isLive(site, view) ? 'dot on' : 'dot'}"></span>${seenText(site, view)}</p>
`;

const isLive = ({ seen_at }: Seen, { now_ms }: View): boolean =>
	seen_at !== null && now_ms - Date.parse(seen_at) < LIVE_MS;
