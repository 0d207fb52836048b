import type { Fields } from '../edge/form-fields.ts';

/**
 * The fields of an unsaved form that a page may show again: all except the phone number, the token and the custom headers. An
 * empty field for headers is kept, because it says that no typed headers are lost.
 */
export function shownBack({ phone: _, token: __, headers, ...fields }: Fields): Fields {
	return headers === '' ? { ...fields, headers } : fields;
}
