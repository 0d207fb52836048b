import { type Call, winnerLeg } from '../../../domain/calls/call.ts';
import type { CallRecord } from '../../../domain/calls/call-record.ts';
import { ID_PATTERN, lowestIdAt } from '../../../domain/kernel/id.ts';
import type { CallbackLead } from '../../../domain/leads/callback-lead.ts';
import type { Records } from '../../../ports/registry.ts';
import { readableMask } from '../../../presentation/readable-mask.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import type { HttpResponse } from '../../edge/response.ts';
import type { PageDeps, View } from '../kit/view.ts';
import { daysOf, daysShown } from './days.ts';
import { sourcesOf } from './numbers-page.ts';

// The lists of the desk as files for a spreadsheet. The links on the desk ask for `words`: the file then has headings and
// values in the team's language, and says who answered. Without `words`, the file looks as it did in the release 28086779,
// because programs may fetch it from its address.

const inWords = ({ query }: View): boolean => query['words'] !== undefined;

/** A response of Lambda has at most 6 MB (6,291,456 bytes), as JSON. A file stays below that. */
const MOST_BYTES = 5_000_000;
const PAGE_ROWS = 500;

/**
 * The calls or leads of the days that the query asks for, newest first, without test calls. If the query has `before`, the
 * list continues where an earlier file ended.
 */
async function* inDays<N extends 'call' | 'callback_lead'>(
	record: N,
	view: View,
	{ store }: PageDeps,
): AsyncGenerator<Records[N]> {
	const from_id = lowestIdAt(daysShown(view).span.from_ms);
	const { before = '' } = view.query;
	let before_id = ID_PATTERN.test(before) ? before : null;
	for (;;) {
		const items = await store.list(record, view.at.workspace.id, { from_id, before_id, limit: PAGE_ROWS });
		for (const item of items) if (!('is_test' in item)) yield item;
		before_id = items.at(-1)?.id ?? null;
		if (before_id === null || items.length < PAGE_ROWS) return;
	}
}

/**
 * Matches what a spreadsheet may read as the beginning of a formula (OWASP, CSV injection). The pattern also matches after
 * every separator, because programs split a file at the separator of their own country, which may differ from the separator
 * of the file.
 */
const FORMULA = /(^|[,;|\t\r\n"])([\p{Z}\s\p{Cf}]*)(?=[=+\-@＝＋－＠])/gu;

/** The text of one cell. A value that the service itself makes, such as a mask or a time, stays as it is. */
function cell(value: unknown, isOurs: boolean): string {
	const text = String(value ?? '');
	const plain = isOurs ? text : text.replace(FORMULA, "$1$2'");
	return `"${plain.replaceAll('"', '""')}"`;
}

/**
 * A column. `code`: its heading for programs. Null: the file for programs does not have this column. `heading`: its heading
 * for people. `value` and `words`: its value for programs and for people. `isOurs`: the service makes the value, so it never
 * begins a formula.
 */
type Column<T> = {
	readonly code: string | null;
	readonly heading: string;
	readonly value: (item: T) => unknown;
	readonly words?: (item: T) => unknown;
	readonly isOurs?: true;
};

/**
 * Returns a function that writes an instant as spreadsheets read it: `2026-11-26 14:05:09`. The time is on the shop's clock.
 * The heading of the column names the time zone.
 */
function clockTime({ time_zone }: View): (at: string) => string {
	const format = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone: time_zone });
	return (at) => format.format(new Date(at));
}

/**
 * A file (RFC 4180). It begins with a byte order mark, because Excel does not read UTF-8 without one. If not all rows fit,
 * the last row has the address of the file with the remaining rows.
 */
async function csv<N extends 'call' | 'callback_lead'>(
	{ name, record, columns: all }: { name: string; record: N; columns: readonly Column<Records[N]>[] },
	view: View,
	deps: PageDeps,
): Promise<HttpResponse> {
	const line = lineIn(view);
	const timeOf = clockTime(view);
	const isWords = inWords(view);
	const columns = all.filter(({ code }) => isWords || code !== null);
	const created = isWords ? view.texts.call_page.requested : 'created_at';
	const headings = [
		`${created} (${view.time_zone})`,
		...columns.map(({ code, heading }) => (isWords ? heading : (code ?? ''))),
	];
	const rows = [line(headings.map((heading) => cell(heading, true)))];
	let bytes = 0;
	let lastId = '';
	for await (const item of inDays(record, view, deps)) {
		const cells = columns.map(({ value, words = value, isOurs = false }) => {
			return cell((isWords ? words : value)(item), isOurs);
		});
		const row = line([cell(timeOf(item.created_at), true), ...cells]);
		bytes += Buffer.byteLength(JSON.stringify(row));
		if (bytes > MOST_BYTES) {
			const next = `${name}?days=${daysOf(view)}${isWords ? '&words' : ''}&before=${lastId}`;
			rows.push(line([cell(fillIn(view.texts.older_rows, next), true)]));
			break;
		}
		rows.push(row);
		lastId = item.id;
	}
	return fileOf(name, rows);
}

/**
 * Returns a function that writes a row. In languages that write decimals with a comma, Excel expects a semicolon between
 * cells.
 */
function lineIn({ language }: View): (cells: readonly string[]) => string {
	const separator = language === 'en' ? ',' : ';';
	return (cells) => `${cells.join(separator)}\r\n`;
}

function fileOf(name: string, rows: readonly string[]): HttpResponse {
	const headers = {
		'content-type': 'text/csv; charset=utf-8',
		'content-disposition': `attachment; filename="${name}"`,
		'cache-control': 'no-store',
	};
	return { statusCode: 200, headers, body: `\uFEFF${rows.join('')}` };
}

/** The columns that calls and leads share: the mask of the number, the page and its reference. */
function sharedColumns({
	texts,
}: View): readonly Column<Pick<Call | CallbackLead, 'visitor_phone_masked' | 'source_url' | 'reference'>>[] {
	const { call_page, search } = texts;
	return [
		{ code: 'number', heading: call_page.number, value: (item) => item.visitor_phone_masked, isOurs: true },
		{ code: 'page', heading: call_page.page, value: (item) => item.source_url },
		{ code: 'reference', heading: search.reference, value: (item) => item.reference },
	];
}

/** Calls, newest first, with the mask of the number. */
export function callsCsv(view: View, deps: PageDeps): Promise<HttpResponse> {
	const { fields, search, status, reasons, csv: words } = view.texts;
	const columns: readonly Column<CallRecord>[] = [
		{ code: 'name', heading: fields.member, value: ({ visitor_name }) => visitor_name },
		...sharedColumns(view),
		{
			code: 'status',
			heading: search.end,
			value: (call) => call.status,
			words: (call) => status[call.status],
			isOurs: true,
		},
		{
			code: 'reason',
			heading: words.reason,
			value: ({ failure_reason }) => failure_reason,
			words: ({ failure_reason }) => failure_reason && reasons[failure_reason],
		},
		{ code: 'seconds', heading: words.seconds, value: ({ duration_seconds }) => duration_seconds, isOurs: true },
		{ code: null, heading: words.answered_by, value: (call) => readableMask(winnerLeg(call)?.member_name ?? '') },
	];
	return csv({ name: 'calls.csv', record: 'call', columns }, view, deps);
}

/** Callback leads, newest first, with the mask of the number. */
export function leadsCsv(view: View, deps: PageDeps): Promise<HttpResponse> {
	const { fields, deliveries, call_page, waiting, handled } = view.texts;
	const words = { pending: waiting, handled, dismissed: call_page.dismissed } as const;
	const columns: readonly Column<CallbackLead>[] = [
		{ code: 'name', heading: fields.member, value: ({ name }) => name },
		...sharedColumns(view),
		{
			code: 'status',
			heading: deliveries.state,
			value: ({ status }) => status,
			words: ({ status }) => words[status],
			isOurs: true,
		},
		{ code: 'note', heading: call_page.note, value: ({ note }) => note },
	];
	return csv({ name: 'leads.csv', record: 'callback_lead', columns }, view, deps);
}

/**
 * How many conversations, calls, missed calls and callback requests each page and each campaign brought. The pages and
 * campaigns with the most conversations come first.
 */
export async function sourcesCsv(view: View, deps: PageDeps): Promise<HttpResponse> {
	const sources = await sourcesOf(view, deps);
	const line = lineIn(view);
	const { figures, sources: words, fields } = view.texts;
	const isWords = inWords(view);
	const headings = isWords
		? [words.title, fields.member, figures.answered, figures.calls, figures.missed, figures.leads]
		: ['from', 'name', 'conversations', 'requests', 'missed', 'callbacks'];
	const rows = (['path', 'campaign'] as const).flatMap((kind) =>
		sources[kind].map(({ name, conversations, requests, missed, callbacks }) => {
			const brought = [conversations, requests, missed, callbacks].map((figure) => cell(figure, true));
			return line([cell(isWords ? words[kind] : kind, true), cell(name ?? words.other, false), ...brought]);
		}),
	);
	return fileOf('sources.csv', [line(headings.map((heading) => cell(heading, true))), ...rows]);
}
