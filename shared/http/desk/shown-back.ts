import type { Fields } from '../edge/form-fields.ts';

/**
 * The fields of an unsaved form that a page may show again: no number, no token, and of custom headers only whether they were
 * to be removed.
 */
export function shownBack({ phone: _, token: __, headers, ...fields }: Fields): Fields {
	return headers === '' ? { ...fields, headers } : fields;
}
