import { shopNumbers } from '../../domain/desk/shop-numbers.ts';
import { ID_PATTERN } from '../../domain/kernel/id.ts';
import type { Ports } from '../../ports/ports.ts';
import { changesOf, since, today } from '../../use-cases/desk/read-desk.ts';
import { hourIn } from '../pages/desk/desk-words.ts';
import type { DeskPage, View } from '../pages/desk/frame.ts';
import { hoursPage } from '../pages/desk/hours-page.ts';
import { numbersPage, ranges } from '../pages/desk/numbers-page.ts';
import { logPage, noticesPage, peoplePage } from '../pages/desk/people-pages.ts';
import { type SiteAddresses, sitePage } from '../pages/desk/site-page.ts';
import { teamPage } from '../pages/desk/team-page.ts';
import { todayPage } from '../pages/desk/today-page.ts';
import type { HttpRequest } from '../request.ts';
import type { HttpResponse } from '../response.ts';

type Deps = Pick<Ports, 'store' | 'clock'> & { readonly addresses: SiteAddresses };
type Query = HttpRequest['query'];

const DAY_MS = 24 * 3_600_000;

/** Builds one page from what the table has now. */
export async function showPage(page: DeskPage, view: View, query: Query, deps: Deps): Promise<HttpResponse> {
	const { id } = view.at.workspace;
	const before_id = idIn(query['before']);
	switch (page) {
		case 'today':
			return todayPage(view, await today(id, { calls: before_id, waiting: idIn(query['waiting']) }, deps), query);
		case 'numbers': {
			const days = daysOf(query);
			const from_ms = view.now_ms - days * DAY_MS;
			const [calls, leads] = await Promise.all([
				since('call', id, from_ms, deps),
				since('callback_lead', id, from_ms, deps),
			]);
			return numbersPage(view, shopNumbers(calls, leads, hourIn(view.time_zone)), days);
		}
		case 'hours':
			return hoursPage(view);
		case 'team':
			return teamPage(view);
		case 'site':
			return sitePage(view, deps.addresses);
		case 'notices':
			return noticesPage(view);
		case 'people':
			return peoplePage(view);
		case 'log':
			return logPage(view, await changesOf(id, before_id, deps), before_id !== null);
	}
}

/** An id that a link of ours contains; null for anything else. */
const idIn = (text = ''): string | null => (ID_PATTERN.test(text) ? text : null);

/** The range that the query names, in days. */
export const daysOf = (query: Query): number => ranges.find((days) => `${days}` === query['days']) ?? ranges[0];
