/**
 * The form of records and messages. It stays while a release and the one before it read what the other writes; the change
 * that breaks this raises it (docs/decisions/0055-two-releases-read-each-others-records.md).
 */
export const STORED_FORM = 1;
/** The tag of the table that says its form. The first release candidate has none: its form is 1. */
export const STORED_FORM_TAG = 'call-back:stored-form';
/** The forms that this release reads. */
export const READABLE_FORMS: readonly number[] = [1];

/** Why this release cannot work on records of a form; null: it can. */
export function formFault(form: number): 'newer' | 'unknown' | null {
	if (READABLE_FORMS.includes(form)) return null;
	return Number.isInteger(form) && form > STORED_FORM ? 'newer' : 'unknown';
}
