import { isFreeHeader, MAX_CUSTOM_HEADERS } from '../../../domain/webhooks/custom-headers.ts';
import type { Fields } from '../../edge/form-fields.ts';
import type { Refusal } from '../define-action.ts';

// The custom headers of an endpoint's form: one on each line, as `Name: value`.

const LINE = /^([^:]+):\s*(.*)$/;
const NAME = /^[a-z\d-]{1,64}$/i;

const linesOf = ({ headers = '' }: Fields) => headers.split(/[\r\n]+/).filter((line) => line.trim() !== '');

/**
 * The headers for a body of the API; undefined: keep those that are set. Null removes them. A line that is none, and a name
 * that stands twice, has an invalid header's name, so that the schema refuses it.
 */
export function headersIn(fields: Fields): Readonly<Record<string, string>> | null | undefined {
	if (fields['no_headers'] === 'yes') return null;
	const lines = linesOf(fields);
	if (lines.length === 0) return undefined;
	const entries = lines.map((line) => {
		const [, name = '', value = ''] = LINE.exec(line.trim()) ?? [];
		return [name.trim(), value] as const;
	});
	const isTwice = new Set(entries.map(([name]) => name)).size < lines.length;
	return Object.fromEntries(isTwice ? [...entries, ['', '']] : entries);
}

/** Why headers were refused, by the path of the schema's issue. Never repeats a value, or a text that is no header's name. */
export function wrongHeaders([, name]: readonly PropertyKey[], fields: Fields): Refusal {
	const invalid = ['headers'];
	if (typeof name === 'string' && NAME.test(name)) {
		return { invalid, why: isFreeHeader(name) ? 'headers_value' : 'headers_name', typed: name };
	}
	return { invalid, why: linesOf(fields).length > MAX_CUSTOM_HEADERS ? 'headers_many' : 'headers' };
}
