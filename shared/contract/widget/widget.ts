import * as z from 'zod/mini';
import { visibleLine } from '../../domain/kernel/visible-line.ts';
import { languages } from '../../domain/workspaces/language.ts';
import { Anything, Id, IdParams, single, Timestamp, WorkspaceKeyed } from '../kernel/common.ts';
import { route } from '../route.ts';
import { CallStatus, FailureReason, LeadStatus, UnavailableReason } from '../vocabulary.ts';

/** A text that the visitor or the page sent, as one visible line. Null if no character of the text is visible. */
const words = (most: number) =>
	z.optional(
		z.pipe(
			z.nullable(z.string().check(z.overwrite(visibleLine), z.maxLength(most))),
			z.transform((line) => line || null),
		),
	);

/**
 * The body of the two widget routes that create something. If `consent` is not true, the refusal has an error code of its
 * own.
 */
export const WidgetRequest = z.extend(WorkspaceKeyed, {
	/** `PhoneNumbers.parse` reads the number and explains errors. */
	phone: z.string().check(z.maxLength(40)),
	name: words(100),
	consent: z.boolean(),
	/** The id of the consent text that the page showed. The page got this id with the configuration. */
	consent_text_id: z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(100)))),
	page_url: z.string().check(z.minLength(1), z.maxLength(2048)),
	/**
	 * What the call is about, in words of the page, such as an order's number. The reference must not contain personal
	 * data.
	 */
	reference: words(64),
});
export type WidgetRequest = z.infer<typeof WidgetRequest>;
/** `note`: what the visitor wrote about a suitable time for the call. The note schedules nothing. */
export const WidgetLeadRequest = z.extend(WidgetRequest, { note: words(200) });
export type WidgetLeadRequest = z.infer<typeof WidgetLeadRequest>;

export const CallRequest = z.object({ id: Id, status: CallStatus, poll_after_ms: z.nullable(z.int()) });
export const CallRequestResponse = single(CallRequest);
export const CallRequestStatus = z.extend(CallRequest, {
	failure_reason: z.nullable(FailureReason),
	visitor_phone_rings: z.boolean(),
	connected_for_ms: z.nullable(z.int()),
	/** The length of the conversation in whole seconds. Null until the call has ended. */
	duration_seconds: z.nullable(z.int()),
});
export const CallRequestStatusResponse = single(CallRequestStatus);
/** `cancel_secret`: the value of the `Cancel-Secret` header in the response that created the call. */
export const CancelOwnCall = z.object({ cancel_secret: z.string().check(z.minLength(1), z.maxLength(100)) });
export const LeadCreated = z.object({ id: Id, status: LeadStatus });
export const LeadCreatedResponse = single(LeadCreated);

export const NumberGroups = z.object({ leading: z.string(), sizes: z.string() });
export const FormerRule = z.object({ pattern: z.string(), now: z.string() });
export const NumberGuide = z.object({
	region: z.string(),
	calling_code: z.string(),
	trunk_prefix: z.nullable(z.string()),
	prefix_pattern: z.nullable(z.string()),
	prefix_rule: z.nullable(z.string()),
	international_prefix: z.string(),
	example: z.string(),
	example_national: z.string(),
	pattern: z.string(),
	ordinary_pattern: z.string(),
	neighbour_pattern: z.nullable(z.string()),
	shortest: z.int(),
	longest: z.int(),
	groups: z.readonly(z.array(NumberGroups)),
	former: z.readonly(z.array(FormerRule)),
});

/**
 * `language`: the language for the texts of the widget. If we have no texts in this language, the widget gets the texts in
 * the workspace's language.
 */
export const WidgetConfigQuery = z.extend(WorkspaceKeyed, {
	language: z.optional(z.string().check(z.maxLength(35))),
});
export const ConsentText = z.object({ id: z.string(), text: z.string() });
export const ConsentTexts = z.object({ language: z.enum(languages), call: ConsentText, lead: ConsentText });
/** How the workspace wants the widget to look. If a field is null, the widget uses its default. */
export const WidgetLook = z.object({ accent: z.nullable(z.string()), greeting: z.nullable(z.string()) });
export const WidgetConfig = z.object({
	name: z.string(),
	open: z.boolean(),
	next_open_at: z.nullable(Timestamp),
	opens_in_ms: z.nullable(z.int()),
	time_zone: z.string(),
	unavailable: z.nullable(UnavailableReason),
	consent_text: z.string(),
	consent_texts: ConsentTexts,
	privacy_url: z.nullable(z.string()),
	look: WidgetLook,
	regions: z.readonly(z.array(z.string())),
	caller_number: z.nullable(z.string()),
	numbers: z.readonly(z.array(NumberGuide)),
});
export const WidgetConfigResponse = single(WidgetConfig);

export const requestCall = route('request-call', 'POST', '/widget/call-requests', {
	summary: 'Request a call now',
	surface: 'widget',
	idempotent: true,
	success: 202,
	query: Anything,
	body: WidgetRequest,
	response: CallRequestResponse,
	refusals: [
		'consent_required',
		'phone_invalid',
		'country_not_allowed',
		'phone_not_callable',
		'page_url_mismatch',
		'outside_business_hours',
		'calls_unavailable',
	],
});

export const getCallRequestStatus = route('get-call-request-status', 'GET', '/widget/call-requests/{id}/status', {
	summary: 'Get the state of a requested call',
	surface: 'widget',
	quiet: true,
	params: IdParams,
	query: Anything,
	response: CallRequestStatusResponse,
});

export const cancelCallRequest = route('cancel-call-request', 'POST', '/widget/call-requests/{id}/cancel', {
	summary: "Cancel the visitor's own call before it connects",
	surface: 'widget',
	params: IdParams,
	query: Anything,
	body: CancelOwnCall,
	response: CallRequestStatusResponse,
	refusals: ['call_already_connected', 'call_already_terminal'],
});

export const createCallbackLead = route('create-callback-lead', 'POST', '/widget/callback-leads', {
	summary: 'Request a callback later; notifies the team, places no call',
	surface: 'widget',
	idempotent: true,
	success: 201,
	query: Anything,
	body: WidgetLeadRequest,
	response: LeadCreatedResponse,
	refusals: ['consent_required', 'phone_invalid', 'country_not_allowed', 'phone_not_callable', 'page_url_mismatch'],
});

export const getWidgetConfig = route('get-widget-config', 'GET', '/widget/config', {
	summary: 'Get the settings of the widget',
	surface: 'widget',
	query: WidgetConfigQuery,
	response: WidgetConfigResponse,
});

export const widgetRoutes = [
	requestCall,
	getCallRequestStatus,
	cancelCallRequest,
	createCallbackLead,
	getWidgetConfig,
] as const;
