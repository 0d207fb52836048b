import type { Ports } from '../../ports/ports.ts';
import type { AtDesk } from '../../use-cases/desk/enter-desk.ts';
import { since } from '../../use-cases/desk/read-desk.ts';
import { callsCsv, leadsCsv } from '../pages/desk/csv.ts';
import type { HttpRequest } from '../request.ts';
import type { HttpResponse } from '../response.ts';
import { daysOf } from './show-page.ts';

/** The list that the path names, as CSV, over the days of the query; null: it names none. */
export async function showCsv(
	{ params, query }: HttpRequest,
	{ workspace: { id } }: AtDesk,
	deps: Pick<Ports, 'store' | 'clock'>,
): Promise<HttpResponse | null> {
	const from_ms = deps.clock.now() - daysOf(query) * 24 * 3_600_000;
	if (params['page'] === 'calls.csv') return callsCsv(await since('call', id, from_ms, deps));
	if (params['page'] === 'leads.csv') return leadsCsv(await since('callback_lead', id, from_ms, deps));
	return null;
}
