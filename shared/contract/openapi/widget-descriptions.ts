const consent = {
	consent: 'Must be true: the visitor agreed to the text that the page showed.',
	consent_text_id:
		'The id of that text, from `consent_texts` of the configuration: the text is kept as evidence. An id that the workspace does not use now is refused with `consent_required`. Without an id, `consent_text` of the configuration is kept.',
};
const page_url = "The page that the visitor is on; its host must be the Origin's.";

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
		unavailable: 'Why no call can be requested, beside opening hours; null if one can.',
		consent_text: 'The text that the visitor must agree to on a page that sends no `consent_text_id`.',
		consent_texts: 'What the visitor must agree to, in one language, with the ids to send back as `consent_text_id`.',
		regions: 'Regions that we call (ISO 3166-1 alpha-2).',
		caller_number: 'The number that visitors see when we call, in E.164; null if the deployment does not say.',
		numbers: "How numbers of those regions are written, the workspace's own region first; of the first 20 regions.",
	},
	ProofOfWorkChallenge: {
		challenge: 'The text to work on: for this workspace and IP address, valid for 5 minutes, good for one request.',
		rounds: 'How many numbers to find.',
		zero_bits: 'With how many zero bits each hash has to begin.',
	},
	ConsentTexts: {
		language: 'The language of both texts: the one that was asked for, if we have it, else that of the workspace.',
		call: 'For a call now.',
		lead: 'For a callback later.',
	},
	ConsentText: { id: 'Names this text; a changed text has another id.', text: 'The exact words to show.' },
	WidgetRequest: {
		workspace_key: 'The public key of the workspace.',
		phone:
			'The number to call, in international format with its `+`. Spaces, dots, dashes, brackets and invisible direction marks are dropped; any other character is rejected.',
		name: "The visitor's name, for the team. Line breaks become spaces; control, direction and zero-width characters are dropped.",
		...consent,
		page_url,
	},
	WidgetLeadRequest: {
		workspace_key: 'The public key of the workspace.',
		phone: 'The number to call back; the same rules apply as for a call now.',
		name: "The visitor's name, for the team; cleaned as for a call now.",
		...consent,
		page_url,
		note: 'When a call would suit the visitor, in their own words, for the team; cleaned as `name` is. It schedules nothing.',
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
