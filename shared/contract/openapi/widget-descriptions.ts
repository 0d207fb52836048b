/** What the members of the widget's schemas mean. */
export const widgetFields = {
	CallRequest: {
		id: 'The id of the call.',
		status: 'The state of the call.',
		poll_after_ms: 'Milliseconds to wait before the next poll; null when the call has ended.',
	},
	CallRequestStatus: {
		id: 'The id of the call.',
		status: 'The state of the call.',
		poll_after_ms: 'Milliseconds to wait before the next poll; null when the call has ended.',
		failure_reason: 'Why the call failed or was canceled; null otherwise.',
		visitor_phone_rings: "Whether the visitor's own phone is ringing: in `ringing` it may still be the team's.",
		connected_for_ms: 'How long the visitor and the team have been talking, in milliseconds; null unless they are.',
	},
	CancelOwnCall: {
		cancel_secret: 'The value of the header `Cancel-Secret` that answered the request for the call.',
	},
	CallbackLeadReceipt: { id: 'The id of the callback lead.', status: '`pending`.' },
	WidgetConfig: {
		open: 'Whether visitors can request a call now.',
		next_open_at: 'When the team opens next; null while it is open, or if no opening is planned.',
		consent_text: 'The exact text that the visitor must agree to.',
		regions: 'Regions that we call (ISO 3166-1 alpha-2).',
		caller_number: 'The number that visitors see when we call, in E.164; null if the deployment does not say.',
		numbers: "How numbers of those regions are written, the workspace's own region first; of the first 20 regions.",
	},
	ProofOfWork: {
		challenge: 'The text to work on: for this workspace and IP address, valid for 5 minutes, good for one request.',
		rounds: 'How many numbers to find.',
		zero_bits: 'With how many zero bits each hash has to begin.',
	},
	NumberGuide: {
		region: 'The region (ISO 3166-1 alpha-2).',
		calling_code: 'What follows the `+`.',
		trunk_prefix: 'What stands before a number at home and is left out from abroad; null where there is nothing.',
		example: 'An example number in E.164, from the range that the numbering plan reserves for fiction, if it has one.',
		example_national: 'The same as people write it at home.',
		pattern: 'A regular expression for the digits behind the calling code.',
		shortest: 'How many digits a number has behind the calling code at least.',
		longest: 'And at most.',
		groups: 'How these digits are grouped; the first fitting row counts.',
	},
};
