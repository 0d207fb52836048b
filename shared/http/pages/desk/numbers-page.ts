import { quarterAt, shopNumbers, tallyCounter, tallyFrom } from '../../../domain/calls/tally.ts';
import { lowestIdAt } from '../../../domain/kernel/id.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { countText, numberIn } from '../../../presentation/team-words.ts';
import type { HttpResponse } from '../../response.ts';
import { hourOfDay, length, shortTime } from './desk-words.ts';
import type { PageDeps, View } from './frame.ts';

/** The ranges, in days; each reads at most this many calls and leads, the newest. */
const ranges = [7, 30] as const;
const MOST_COUNTED = 2000;
const daysOf = ({ query }: View): number => ranges.find((days) => `${days}` === query['days']) ?? ranges[0];

/** The first quarter hour of the query's days, epoch milliseconds. */
const startOf = (view: View): number => quarterAt(view.now_ms - daysOf(view) * 24 * 3_600_000);

/** The calls or leads of the query's days, newest first. */
function inDays<N extends 'call' | 'callback_lead'>(record: N, view: View, { store }: PageDeps) {
	const from_id = lowestIdAt(startOf(view));
	return store.list(record, view.at.workspace.id, { from_id, before_id: null, limit: MOST_COUNTED });
}

const figureNames = ['calls', 'answered', 'missed', 'leads', 'handled'] as const;

/** The figures of the last days, and the calls by hour. */
export async function numbersPage(view: View, deps: PageDeps): Promise<Markup> {
	const { texts, language, time_zone } = view;
	const from_ms = startOf(view);
	const tallies = await deps.store.usedFrom(tallyCounter(view.at.workspace.id), tallyFrom(from_ms));
	const { by_hour, median_wait_seconds: wait, ...numbers } = shopNumbers(tallies, from_ms, hourOfDay(time_zone));
	const [days, number] = [daysOf(view), numberIn(language)];
	const rows = [
		...figureNames.map((name) => [texts.figures[name], number(numbers[name])] as const),
		[texts.figures.wait, wait === null ? '–' : length(wait, language)] as const,
	];
	const links = ranges.map((range) => {
		const mark = range === days ? html`class="button" aria-current="true"` : html`class="button quiet"`;
		return html`<a ${mark} href="numbers?days=${range}">${countText(texts.days, range, language)}</a>`;
	});
	const since = shortTime(new Date(from_ms).toISOString(), view);
	return html`<p class="row">${links}</p>
<p class="soft">${fillIn(texts.counted, since)}</p>
<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<h2>${texts.by_hour}</h2><div class="card">${picture(by_hour, texts.by_hour)}
<details><summary>${texts.as_table}</summary>${hourTable(by_hour, view)}</details></div>
<p class="row"><a class="button quiet" href="calls.csv?days=${days}">${texts.csv_calls}</a><a class="button quiet" href="leads.csv?days=${days}">${texts.csv_leads}</a></p>`;
}

/** Bars by hour, each 20 wide and at most 100 high. The table beside it has the same figures. */
function picture(by_hour: readonly number[], name: string): Markup {
	const most = Math.max(1, ...by_hour);
	const bars = by_hour.map((calls, hour) => {
		const height = Math.round((calls / most) * 100);
		return html`<rect x="${hour * 20 + 2}" y="${100 - height}" width="16" height="${height}"></rect>`;
	});
	const marks = [0, 6, 12, 18].map((hour) => html`<text x="${hour * 20 + 2}" y="117">${hour}</text>`);
	return html`<svg class="chart" viewBox="0 0 480 120" role="img" aria-label="${name}">${bars}${marks}</svg>`;
}

function hourTable(by_hour: readonly number[], { texts, language }: View): Markup {
	const number = numberIn(language);
	const rows = by_hour.map((calls, hour) => html`<tr><td>${hour}:00</td><td>${number(calls)}</td></tr>`);
	return html`<table><thead><tr><th scope="col">${texts.hour}</th><th scope="col">${texts.calls}</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** Spreadsheets take a cell that begins with one of these as a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/;

function cell(value: unknown): string {
	const text = String(value ?? '');
	const plain = FORMULA.test(text) ? `'${text}` : text;
	return `"${plain.replaceAll('"', '""')}"`;
}

/**
 * A file for a spreadsheet (RFC 4180), with a byte order mark, without which Excel does not read UTF-8. `columns`: the heading
 * of each, and what it shows.
 */
function csv<T>(name: string, items: readonly T[], columns: Readonly<Record<string, keyof T>>): HttpResponse {
	const rows = [Object.keys(columns), ...items.map((item) => Object.values(columns).map((key) => item[key]))];
	const headers = {
		'content-type': 'text/csv; charset=utf-8',
		'content-disposition': `attachment; filename="${name}"`,
		'cache-control': 'no-store',
	};
	const body = `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
	return { statusCode: 200, headers, body };
}

const BOTH = { number: 'visitor_phone_masked', page: 'source_url', reference: 'reference', status: 'status' } as const;

/** Calls, newest first, with the mask of the number. */
export async function callsCsv(view: View, deps: PageDeps): Promise<HttpResponse> {
	const end = { reason: 'failure_reason', seconds: 'duration_seconds' } as const;
	const columns = { created_at: 'created_at', name: 'visitor_name', ...BOTH, ...end } as const;
	return csv('calls.csv', await inDays('call', view, deps), columns);
}

/** Callback leads, newest first, with the mask of the number. */
export async function leadsCsv(view: View, deps: PageDeps): Promise<HttpResponse> {
	const columns = { created_at: 'created_at', name: 'name', ...BOTH, note: 'note' } as const;
	return csv('leads.csv', await inDays('callback_lead', view, deps), columns);
}
