import { ID_PATTERN, lowestIdAt } from '../../../domain/kernel/id.ts';
import type { Records } from '../../../ports/registry.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import type { HttpResponse } from '../../edge/response.ts';
import type { PageDeps, View } from '../kit/view.ts';
import { daysOf, figuresStart, sourcesOf } from './numbers-page.ts';

// The lists of the desk as files for a spreadsheet.

/** Lambda's response has at most 6 MB (6,291,456 bytes), as JSON. */
const MOST_BYTES = 5_000_000;
const PAGE_ROWS = 500;

/** The calls or leads of the query's days without tests, newest first; `before` in the query continues an earlier file. */
async function* inDays<N extends 'call' | 'callback_lead'>(
	record: N,
	view: View,
	{ store }: PageDeps,
): AsyncGenerator<Records[N]> {
	const from_id = lowestIdAt(figuresStart(view));
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
 * What spreadsheets take as the beginning of a formula (OWASP, CSV injection), where a cell begins in a reading with any
 * separator: programs split at the one of their country, not of the file.
 */
const FORMULA = /(^|[,;|\t\r\n"])([\p{Z}\s\p{Cf}]*)(?=[=+\-@＝＋－＠])/gu;

/** A value of ours, such as a mask or a time, stays as it is. */
function cell(value: unknown, isOurs: boolean): string {
	const text = String(value ?? '');
	const plain = isOurs ? text : text.replace(FORMULA, "$1$2'");
	return `"${plain.replaceAll('"', '""')}"`;
}

type Columns<T> = Readonly<Record<string, keyof T>>;
const OURS: ReadonlySet<PropertyKey> = new Set(['visitor_phone_masked', 'status', 'duration_seconds']);

/** An instant as spreadsheets read it, on the clock of the shop, which the heading names: `2026-11-26 14:05:09`. */
function clockTime({ time_zone }: View): (at: string) => string {
	const format = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone: time_zone });
	return (at) => format.format(new Date(at));
}

/**
 * A file (RFC 4180) with a byte order mark, without which Excel does not read UTF-8. A file that is full says in its last row
 * which file continues it.
 */
async function csv<N extends 'call' | 'callback_lead'>(
	{ name, record, columns }: { name: string; record: N; columns: Columns<Records[N]> },
	view: View,
	deps: PageDeps,
): Promise<HttpResponse> {
	const line = lineIn(view);
	const timeOf = clockTime(view);
	const headings = [`created_at (${view.time_zone})`, ...Object.keys(columns)];
	const rows = [line(headings.map((heading) => cell(heading, true)))];
	let bytes = 0;
	let lastId = '';
	for await (const item of inDays(record, view, deps)) {
		const cells = Object.values(columns).map((key) => cell(item[key], OURS.has(key)));
		const row = line([cell(timeOf(item.created_at), true), ...cells]);
		bytes += Buffer.byteLength(JSON.stringify(row));
		if (bytes > MOST_BYTES) {
			const next = `${name}?days=${daysOf(view)}&before=${lastId}`;
			rows.push(line([cell(fillIn(view.texts.older_rows, next), true)]));
			break;
		}
		rows.push(row);
		lastId = item.id;
	}
	return fileOf(name, rows);
}

/** A row. Where a comma separates decimals, Excel separates cells by a semicolon. */
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

const BOTH = { number: 'visitor_phone_masked', page: 'source_url', reference: 'reference', status: 'status' } as const;

/** Calls, newest first, with the mask of the number. */
export function callsCsv(view: View, deps: PageDeps): Promise<HttpResponse> {
	const columns = {
		name: 'visitor_name',
		...BOTH,
		reason: 'failure_reason',
		seconds: 'duration_seconds',
	} as const;
	return csv({ name: 'calls.csv', record: 'call', columns }, view, deps);
}

/** Callback leads, newest first, with the mask of the number. */
export function leadsCsv(view: View, deps: PageDeps): Promise<HttpResponse> {
	const columns = { name: 'name', ...BOTH, note: 'note' } as const;
	return csv({ name: 'leads.csv', record: 'callback_lead', columns }, view, deps);
}

/** What pages and campaigns brought, those with most conversations first. */
export async function sourcesCsv(view: View, deps: PageDeps): Promise<HttpResponse> {
	const sources = await sourcesOf(view, deps);
	const line = lineIn(view);
	const headings = ['from', 'name', 'conversations', 'requests', 'missed', 'callbacks'];
	const rows = (['path', 'campaign'] as const).flatMap((kind) =>
		sources[kind].map(({ name, conversations, requests, missed, callbacks }) => {
			const figures = [conversations, requests, missed, callbacks].map((figure) => cell(figure, true));
			return line([cell(kind, true), cell(name ?? view.texts.sources.other, false), ...figures]);
		}),
	);
	return fileOf('sources.csv', [line(headings.map((heading) => cell(heading, true))), ...rows]);
}
