import type * as z from 'zod/mini';
import { callId, leadId } from '../kernel/example-values.ts';
import { type Docs, withDescriptions } from '../kernel/operation-docs.ts';
import * as schemas from './widget.ts';

const visitor = {
	workspace_key: 'wk_3kZ9QmPq7sVxW2nB4yTcR8uA',
	phone: '+1 (202) 555-0101',
	name: 'Ada',
	consent: true,
	page_url: 'https://shop.example/pricing?utm_source=newsletter',
} as const satisfies z.input<typeof schemas.WidgetRequest>;

const ringing = {
	id: callId,
	status: 'ringing',
	poll_after_ms: 1000,
	failure_reason: null,
	visitor_phone_rings: true,
	connected_for_ms: null,
	duration_seconds: null,
} as const satisfies z.infer<typeof schemas.CallRequestStatus>;

const config = {
	name: 'Sales',
	open: true,
	next_open_at: null,
	opens_in_ms: null,
	time_zone: 'America/New_York',
	unavailable: null,
	consent_text: 'I agree to be called at this number now.',
	consent_texts: {
		language: 'en',
		call: {
			id: 'en-call-5e9f0c1d2b3a4867',
			text: 'I agree to be called at this number now, and once more by the end of tomorrow if no one answers.',
		},
		lead: {
			id: 'en-lead-0a1b2c3d4e5f6071',
			text: 'I agree to be called back at this number when someone is available.',
		},
	},
	privacy_url: 'https://shop.example/privacy',
	look: { accent: '#1c3d8f', greeting: null },
	regions: ['US'],
	caller_number: '+13125550101',
	numbers: [
		{
			region: 'US',
			calling_code: '1',
			trunk_prefix: '1',
			prefix_pattern: '1',
			prefix_rule: null,
			international_prefix: '011',
			example: '+12025550123',
			example_national: '(202) 555-0123',
			pattern: '[2-9]\\d{9}|3\\d{6}',
			ordinary_pattern: '(?!\\d{3}976|218339)(?:20[1-9]\\d{7}|21[02-9]\\d{7})',
			neighbour_pattern: '[2-9]\\d{9}|(?:[58]\\d\\d|900)\\d{7}',
			shortest: 10,
			longest: 10,
			groups: [{ leading: '[2-9]', sizes: '3 3 4' }],
			former: [],
		},
	],
} as const satisfies z.infer<typeof schemas.WidgetConfig>;

const operations = {
	'request-call': {
		text: 'Rings the team, then the visitor, and connects them. Poll the status at the pace of `poll_after_ms`, or subscribe to the events. The header `Cancel-Secret` of the answer lets this page cancel the call before it connects.',
		body: visitor,
		answer: { data: { id: callId, status: 'requested', poll_after_ms: 1000 } },
		answer_headers: ['Cancel-Secret'],
	},
	'get-call-request-status': {
		text: "For pages of the call's workspace only. Readable until an hour after the call ends.",
		answer: { data: ringing },
	},
	'cancel-call-request': {
		text: 'Needs no API key, only an allowed Origin and the `Cancel-Secret` that answered the request for the call. A wrong secret answers like an unknown call.',
		body: { cancel_secret: 'Zm9yIHRoZSBleGFtcGxlIG9ubHksIG5vdCBhIHNlY3JldA' },
		answer: {
			data: {
				...ringing,
				status: 'canceled',
				poll_after_ms: null,
				failure_reason: 'canceled',
				visitor_phone_rings: false,
			},
		},
	},
	'create-callback-lead': {
		text: 'Use it when the team is closed or the visitor prefers a later call.',
		body: { ...visitor, note: 'tomorrow morning' },
		answer: { data: { id: leadId, status: 'pending' } },
	},
	'get-widget-config': {
		text: 'Whether the team is open, the consent text and the regions. Cacheable for 60 seconds.',
		answer: { data: config },
	},
} satisfies Docs<typeof schemas.widgetRoutes>['operations'];

const consent = {
	consent: 'Must be true: the visitor agreed to the text that the page showed.',
	consent_text_id:
		'The id of that text, from `consent_texts` of the configuration: the text is kept as evidence. An id that the workspace does not use now is refused with `consent_required`. Without an id, `consent_text` of the configuration is kept.',
};
const page_url = "The page that the visitor is on; its host must be the Origin's.";

const callRequest = {
	id: 'The id of the call.',
	status: 'The state of the call.',
	poll_after_ms: 'Milliseconds to wait before the next poll; null when the call has ended.',
};

export const widgetDocs = {
	tag: { name: 'Widget', description: 'For pages: an allowed Origin instead of an API key.' },
	operations,
	components: {
		CallRequest: withDescriptions(schemas.CallRequest, {
			description: 'The state of a call, for the page that requested it.',
			members: callRequest,
		}),
		CallRequestResponse: { schema: schemas.CallRequestResponse },
		CallRequestStatus: withDescriptions(schemas.CallRequestStatus, {
			description: 'The state of a call, for the page that polls it.',
			members: {
				...callRequest,
				failure_reason: 'Why the call failed or was canceled; null otherwise.',
				visitor_phone_rings:
					"Whether we are calling the visitor's own phone, even if it does not ring yet: in `ringing`, it may still be the team's phone that rings.",
				connected_for_ms: 'How long the visitor and the team have been talking, in milliseconds; null unless they are.',
				duration_seconds: 'How long the visitor and the team talked, in seconds; null until the end.',
			},
		}),
		CallRequestStatusResponse: { schema: schemas.CallRequestStatusResponse },
		CallbackLeadReceipt: withDescriptions(schemas.LeadCreated, {
			description: 'The callback lead that a page created.',
			members: { id: 'The id of the callback lead.', status: '`pending`.' },
		}),
		CallbackLeadReceiptResponse: { schema: schemas.LeadCreatedResponse },
		WidgetConfig: withDescriptions(schemas.WidgetConfig, {
			description: 'The settings of the widget.',
			members: {
				name: 'The name of the workspace: a page with several keys asks the visitor by it.',
				open: 'Whether visitors can request a call now.',
				next_open_at: 'When the team opens next; null while it is open, or if no opening is planned.',
				opens_in_ms:
					'Milliseconds from the answer until the team opens next, for a page whose clock is wrong; null if `next_open_at` is null. A cached answer may be a minute old.',
				time_zone: 'The time zone of the workspace (IANA), such as `Europe/Berlin`.',
				unavailable: 'Why no call can be requested, apart from opening hours; null if one can.',
				consent_text: 'The text that the visitor must agree to on a page that sends no `consent_text_id`.',
				consent_texts:
					'What the visitor must agree to, in one language, with the ids to send back as `consent_text_id`.',
				privacy_url:
					'The page about privacy, in the language of `consent_texts` if there is one, to show beside the consent; null: none. Always https.',
				look: 'How the widget looks, unless the page sets it itself.',
				regions: 'Regions that we call (ISO 3166-1 alpha-2).',
				caller_number:
					'The number that visitors see when we call, in E.164: the workspace’s own, else the deployment’s; null if neither is set.',
				numbers: "How numbers are written in the first 20 of those regions, the workspace's own region first.",
			},
		}),
		ConsentTexts: withDescriptions(schemas.ConsentTexts, {
			description: 'What a visitor agrees to, in one language.',
			members: {
				language: 'The language of both texts: the one that was asked for, if we have it, else that of the workspace.',
				call: 'For a call now.',
				lead: 'For a callback later.',
			},
		}),
		WidgetLook: withDescriptions(schemas.WidgetLook, {
			description: 'How the shop wants its widget to look.',
			members: {
				accent: 'The colour of buttons and progress, such as `#1c3d8f`; null: the default.',
				greeting: 'The sentence above the form while the team is open; null: the default.',
			},
		}),
		ConsentText: withDescriptions(schemas.ConsentText, {
			description: 'A consent text and its id.',
			members: { id: 'Names this text; a changed text has another id.', text: 'The exact words to show.' },
		}),
		NumberGuide: withDescriptions(schemas.NumberGuide, {
			description: 'How the numbers of one region are written: a form reads them as people type them at home.',
			members: {
				region: 'The region (ISO 3166-1 alpha-2).',
				calling_code: 'What follows the `+`.',
				trunk_prefix: 'What stands before a number at home and is left out from abroad; null where there is nothing.',
				prefix_pattern:
					'A regular expression for all that can stand before a number at home, as trunk and carrier prefixes; null for nothing.',
				prefix_rule:
					'What replaces the match of `prefix_pattern` if its last group matches, such as `9$1`; otherwise the match is left out.',
				international_prefix:
					'A regular expression for what is dialled in this region before the calling code of another country.',
				example:
					'An example number in E.164, from the range that the numbering plan reserves for fiction, if it has one.',
				example_national: 'The same number as people write it at home.',
				pattern: 'A regular expression for the digits behind the calling code.',
				ordinary_pattern:
					'Like `pattern`, but only for ordinary lines and without numbers that this workspace refuses: a number that matches will be called.',
				neighbour_pattern: 'Like `pattern`, but for the other regions with this calling code; null if there are none.',
				shortest: 'The fewest digits that a number has behind the calling code.',
				longest: 'The most digits that a number has behind the calling code.',
				groups: 'How these digits are grouped; the first fitting row counts.',
				former:
					'Rules for numbers of a former numbering plan. If a number fits no plan, they apply to its digits in E.164 without the `+`.',
			},
		}),
		FormerRule: withDescriptions(schemas.FormerRule, {
			description: 'How a number of a former numbering plan is written now.',
			members: {
				pattern: 'A regular expression for what has changed.',
				now: 'What replaces the match; `$1` stands for its first group.',
			},
		}),
		NumberGroups: withDescriptions(schemas.NumberGroups, {
			description: 'How a country groups the digits of some of its numbers.',
			members: {
				leading: 'A regular expression for how the digits begin.',
				sizes: 'The sizes of the groups, such as `2 4 4,5`.',
			},
		}),
		WidgetConfigResponse: { schema: schemas.WidgetConfigResponse },
		WidgetRequest: withDescriptions(schemas.WidgetRequest, {
			description: 'What the visitor entered.',
			members: {
				workspace_key: 'The public key of the workspace.',
				phone:
					'The number to call, in international format with its `+`. Spaces, dots, dashes, brackets and invisible direction marks are dropped, also quotation marks, commas and symbols around it; any other character is rejected. A number of a former numbering plan, such as `+52 1` and ten digits, is accepted if only one meaning of it is left.',
				name: "The visitor's name, for the team. Line breaks become spaces; invisible characters are dropped, and a name of nothing else counts as none.",
				...consent,
				page_url,
				reference:
					"Your page's own name for what the call is about, such as an order's number. It may hold no personal data. Cleaned as `name` is.",
			},
		}),
		WidgetLeadRequest: withDescriptions(schemas.WidgetLeadRequest, {
			description: 'What a visitor who wants to be called later entered.',
			members: {
				workspace_key: 'The public key of the workspace.',
				phone: 'The number to call back; the same rules apply as for a call now.',
				name: "The visitor's name, for the team; cleaned as for a call now.",
				...consent,
				page_url,
				reference:
					"Your page's own name for what the call is about, such as an order's number. It may hold no personal data. Cleaned as `name` is.",
				note: 'When a call would suit the visitor, in their own words, for the team; cleaned as `name` is. It schedules nothing.',
			},
		}),
		CancelOwnCall: withDescriptions(schemas.CancelOwnCall, {
			description: 'Proof that the page requested the call.',
			members: { cancel_secret: 'The value of the header `Cancel-Secret` that answered the request for the call.' },
		}),
	},
} satisfies Docs<typeof schemas.widgetRoutes>;
