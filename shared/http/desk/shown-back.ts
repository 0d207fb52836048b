import type { Fields } from '../edge/form-fields.ts';

/**
 * What a page may show of a form that was sent and not saved: no number, no token, and of custom headers only that there were
 * none.
 */
export function shownBack({ phone: _, token: __, headers, ...fields }: Fields): Fields {
	return headers === '' ? { ...fields, headers } : fields;
}
