import { shopNumbers } from '../../domain/desk/shop-numbers.ts';
import { ID_PATTERN } from '../../domain/kernel/id.ts';
import type { Ports } from '../../ports/ports.ts';
import { changesOf, since, today } from '../../use-cases/desk/read-desk.ts';
import { callsCsv, leadsCsv } from '../pages/desk/csv.ts';
import { hourOfDay } from '../pages/desk/desk-words.ts';
import type { DeskPage, View } from '../pages/desk/frame.ts';
import { hoursPage } from '../pages/desk/hours-page.ts';
import { numbersPage, ranges } from '../pages/desk/numbers-page.ts';
import { logPage, noticesPage, peoplePage } from '../pages/desk/people-pages.ts';
import { type SiteAddresses, sitePage } from '../pages/desk/site-page.ts';
import { teamPage } from '../pages/desk/team-page.ts';
import { todayPage } from '../pages/desk/today-page.ts';
import type { HttpRequest } from '../request.ts';
import type { HttpResponse } from '../response.ts';

export type PageDeps = Pick<Ports, 'store' | 'clock'> & { readonly addresses: SiteAddresses };
type Query = HttpRequest['query'];

/** Builds one page from what the table has now. */
export async function showPage(page: DeskPage, view: View, query: Query, deps: PageDeps): Promise<HttpResponse> {
	const { id } = view.at.workspace;
	const before_id = idIn(query['before']);
	switch (page) {
		case 'today':
			return todayPage(view, await today(id, { calls: before_id, waiting: idIn(query['waiting']) }, deps), query);
		case 'numbers': {
			const [calls, leads] = await Promise.all([of('call', view, query, deps), of('callback_lead', view, query, deps)]);
			return numbersPage(view, shopNumbers(calls, leads, hourOfDay(view.time_zone)), daysOf(query));
		}
		case 'calls.csv':
			return callsCsv(await of('call', view, query, deps));
		case 'leads.csv':
			return leadsCsv(await of('callback_lead', view, query, deps));
		case 'hours':
			return hoursPage(view);
		case 'team':
			return teamPage(view);
		case 'site':
			return sitePage(view, deps.addresses, query);
		case 'notices':
			return noticesPage(view);
		case 'people':
			return peoplePage(view);
		case 'log':
			return logPage(view, await changesOf(id, before_id, deps), before_id !== null);
	}
}

/** The id in a query parameter of our links; null for anything else. */
const idIn = (text = ''): string | null => (ID_PATTERN.test(text) ? text : null);

/** The range that the query names, in days. */
const daysOf = (query: Query): number => ranges.find((days) => `${days}` === query['days']) ?? ranges[0];

/** The calls or leads of the query's days. */
const of = <N extends 'call' | 'callback_lead'>(record: N, view: View, query: Query, deps: PageDeps) =>
	since(record, view.at.workspace.id, view.now_ms - daysOf(query) * 24 * 3_600_000, deps);
