// Descriptions of members that several schemas have.

export const id = 'Its ULID.';
export const workspace_id = 'The workspace it belongs to.';
export const created_at = 'When it was created.';
export const updated_at = 'When it was last changed.';
export const visitor_phone_masked = "The visitor's number with all but its last digits hidden.";
export const source_url =
	'The page that the visitor was on: without fragment, and with only the `utm_` parameters of its query.';
