import type { Call } from '../../../domain/calls/call.ts';
import type { CallbackLead } from '../../../domain/leads/callback-lead.ts';
import type { HttpResponse } from '../../response.ts';

/** Spreadsheets take a cell that begins with one of these as a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/;

function cell(value: string | number | null): string {
	const text = value === null ? '' : String(value);
	const plain = FORMULA.test(text) ? `'${text}` : text;
	return `"${plain.replaceAll('"', '""')}"`;
}

/** A file for a spreadsheet (RFC 4180), with a byte order mark, without which Excel does not read UTF-8. */
function csv(name: string, rows: readonly (readonly (string | number | null)[])[]): HttpResponse {
	const text = rows.map((row) => row.map(cell).join(',')).join('\r\n');
	const headers = {
		'content-type': 'text/csv; charset=utf-8',
		'content-disposition': `attachment; filename="${name}"`,
		'cache-control': 'no-store',
		'x-content-type-options': 'nosniff',
	};
	return { statusCode: 200, headers, body: `\uFEFF${text}\r\n` };
}

/** Calls, newest first, with the mask of the number. */
export function callsCsv(calls: readonly Call[]): HttpResponse {
	const rows = calls.map((call) => [
		call.created_at,
		call.visitor_name,
		call.visitor_phone_masked,
		call.source_url,
		call.reference ?? null,
		call.status,
		call.failure_reason,
		call.duration_seconds,
	]);
	return csv('calls.csv', [
		['created_at', 'name', 'number', 'page', 'reference', 'status', 'reason', 'seconds'],
		...rows,
	]);
}

/** Callback leads, newest first, with the mask of the number. */
export function leadsCsv(leads: readonly CallbackLead[]): HttpResponse {
	const rows = leads.map((lead) => [
		lead.created_at,
		lead.name,
		lead.visitor_phone_masked,
		lead.note,
		lead.source_url,
		lead.reference ?? null,
		lead.status,
	]);
	return csv('leads.csv', [['created_at', 'name', 'number', 'note', 'page', 'reference', 'status'], ...rows]);
}
