import type { Fields } from '../edge/form-fields.ts';

/**
 * The fields of an unsaved form that a page may show again: all except the phone number, the token and the custom headers.
 * If the field for headers was empty, it is kept as an empty field. So the page knows that no typed headers are lost.
 */
export function shownBack({ phone: _, token: __, headers, ...fields }: Fields): Fields {
	return headers === '' ? { ...fields, headers } : fields;
}
