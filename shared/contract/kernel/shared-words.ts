/**
 * Descriptions of fields that several schemas have. A schema in which such a field means something else has its own
 * description of the field.
 */
export const sharedWords = {
	id: 'Its ULID.',
	workspace_id: 'The workspace it belongs to.',
	created_at: 'When it was created.',
	updated_at: 'When it was last changed.',
	visitor_phone_masked: "The visitor's number with all but its last digits hidden.",
	source_url: 'The page that the visitor was on: without fragment, and with only the `utm_` parameters of its query.',
};
