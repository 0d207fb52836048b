import type { Call } from '../../../domain/calls/call.ts';
import type { CallbackLead } from '../../../domain/leads/callback-lead.ts';
import type { HttpResponse } from '../../response.ts';

type Cell = string | number | null | undefined;

/** Spreadsheets take a cell that begins with one of these as a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/;

function cell(value: Cell): string {
	const text = String(value ?? '');
	const plain = FORMULA.test(text) ? `'${text}` : text;
	return `"${plain.replaceAll('"', '""')}"`;
}

/** A file for a spreadsheet (RFC 4180), with a byte order mark, without which Excel does not read UTF-8. */
function csv<T>(name: string, items: readonly T[], columns: Readonly<Record<string, (item: T) => Cell>>): HttpResponse {
	const rows = [Object.keys(columns), ...items.map((item) => Object.values(columns).map((of) => of(item)))];
	const headers = {
		'content-type': 'text/csv; charset=utf-8',
		'content-disposition': `attachment; filename="${name}"`,
		'cache-control': 'no-store',
		'x-content-type-options': 'nosniff',
	};
	const body = `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
	return { statusCode: 200, headers, body };
}

/** Calls, newest first, with the mask of the number. */
export const callsCsv = (calls: readonly Call[]): HttpResponse =>
	csv('calls.csv', calls, {
		created_at: (call) => call.created_at,
		name: (call) => call.visitor_name,
		number: (call) => call.visitor_phone_masked,
		page: (call) => call.source_url,
		reference: (call) => call.reference,
		status: (call) => call.status,
		reason: (call) => call.failure_reason,
		seconds: (call) => call.duration_seconds,
	});

/** Callback leads, newest first, with the mask of the number. */
export const leadsCsv = (leads: readonly CallbackLead[]): HttpResponse =>
	csv('leads.csv', leads, {
		created_at: (lead) => lead.created_at,
		name: (lead) => lead.name,
		number: (lead) => lead.visitor_phone_masked,
		note: (lead) => lead.note,
		page: (lead) => lead.source_url,
		reference: (lead) => lead.reference,
		status: (lead) => lead.status,
	});
