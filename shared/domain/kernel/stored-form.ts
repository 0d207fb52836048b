/**
 * The number of the format in which records and messages are stored. The number stays the same as long as two successive
 * releases can read each other's records and messages. A change of the format that breaks this raises the number
 * (docs/decisions/0055-two-releases-read-each-others-records.md).
 */
export const STORED_FORM = 1;
/**
 * The AWS tag with the number of the format. It is on the table that stores the records. The table of the first release
 * candidate has no such tag. Its format has the number 1.
 */
export const STORED_FORM_TAG = 'call-back:stored-form';
/** The numbers of the formats that this release can read. */
export const READABLE_FORMS: readonly number[] = [1];

/** Why this release cannot work with records in a format. Null if this release can work with them. */
export function formFault(form: number): 'newer' | 'unknown' | null {
	if (READABLE_FORMS.includes(form)) return null;
	return Number.isInteger(form) && form > STORED_FORM ? 'newer' : 'unknown';
}
