import * as z from 'zod/mini';
import { E164 } from '../../../domain/kernel/phone-number.ts';
import type { DialRequest, Telephony } from '../../../ports/telephony.ts';
import { factOfCall, HANG_UP, readCallback, readTime, statusEvents, TIME_LIMIT_SECONDS } from '../call-resource.ts';
import {
	asksForInstructions,
	callHttp,
	type HttpCall,
	type HttpResult,
	instructionsPath,
	isOwnAddress,
	legPath,
	outcomesIn,
	type ProviderOptions,
	parseJson,
	statusPath,
	THROTTLED,
	type Tokens,
} from '../provider-http.ts';
import { renderMarkup } from '../twiml.ts';
import { isSignedByTwilio, signedParameters } from './twilio-signature.ts';

/** The operator's settings. infra/properties.ts has the names of these settings in a deployment. */
export const TwilioSettings = z.object({
	account_sid: z.string().check(z.regex(/^AC[0-9a-fA-F]{32}$/)),
	from: z.string().check(z.regex(E164)),
	/** Whether to detect that a machine answers the visitor's leg. The detection costs money and a moment of silence. */
	machine_detection: z._default(z.boolean(), false),
	/** The region in which Twilio processes and stores calls. Each region has credentials of its own. */
	region: z.optional(z.enum(['us1', 'ie1', 'au1'])),
});
export type TwilioOptions = z.infer<typeof TwilioSettings> & ProviderOptions & { readonly authTokens: Tokens };

/**
 * The REST API of each region. For regions other than us1, only host names that include an edge location (`dublin`, `sydney`)
 * still work (https://www.twilio.com/docs/global-infrastructure/using-the-twilio-rest-api-in-a-non-us-region).
 */
const API_HOSTS = {
	us1: 'api.twilio.com',
	ie1: 'api.dublin.ie1.twilio.com',
	au1: 'api.sydney.au1.twilio.com',
} as const;
/** No other file contains the host names of Twilio. */
export const twilioApiUrl = ({ region = 'us1' }: z.infer<typeof TwilioSettings>): string =>
	`https://${API_HOSTS[region]}`;

const TIMEOUT_MS = 8000;
/** After a dial without a clear response, we search for the call. This is the time limit of the search. */
const LIST_TIMEOUT_MS = 4000;
const MACHINE_DETECTION = { MachineDetection: 'Enable', MachineDetectionTimeout: '5' };
/**
 * This fragment of a URL asks Twilio to retry three times after any failure
 * (https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides). Twilio does not send the fragment, and the
 * documentation does not say whether Twilio signs it, so both signatures are accepted (see `isSigned`).
 */
const RETRIES = '#rc=3&rp=all';

const CALL_SID = /^CA[0-9a-fA-F]{32}$/;
const Created = z.object({ sid: z.string().check(z.regex(CALL_SID)) });
const ErrorBody = z.object({ code: z.number() });

/** Error codes (https://www.twilio.com/docs/api/errors) that are about the called number, not about our account. */
const UNREACHABLE: ReadonlySet<string> = new Set(['13223', '13224', '21211', '21214', '21217', '21612', '21614']);
/** Codes for too many calls or requests at once: "never processed and always safe to retry". */
const THROTTLED_CODES: ReadonlySet<string> = new Set(['10004', '20429']);
/** The code of the response if a call that should be ended has already ended. */
const NOT_IN_PROGRESS = 21220;

const codeIn = (body: string): number | undefined => ErrorBody.safeParse(parseJson(body)).data?.code;

const outcomes = outcomesIn({
	codeIn: (body) => codeIn(body)?.toString() ?? null,
	idIn: ({ status, body }) => (status === 201 ? Created.safeParse(parseJson(body)).data?.sid : undefined),
	refusal(code) {
		if (THROTTLED_CODES.has(code)) return THROTTLED;
		return { dial: 'rejected', reason: UNREACHABLE.has(code) ? 'unreachable' : 'provider_rejected' };
	},
	isOver: ({ body }) => codeIn(body) === NOT_IN_PROGRESS,
	factIn: factOfCall,
});

export function twilioTelephony(settings: TwilioOptions): Telephony {
	const { account_sid, public_base_url, clock } = settings;
	const ask = async (
		path: string,
		body: string | null,
		timeout_ms = TIMEOUT_MS,
		method: HttpCall['method'] = body === null ? 'GET' : 'POST',
	) => {
		const [auth_token] = await settings.authTokens();
		const credentials = Buffer.from(`${account_sid}:${auth_token}`).toString('base64');
		const headers = { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' };
		const url = new URL(`/2010-04-01/Accounts/${account_sid}/${path}`, settings.api_url);
		return callHttp({ method, url, headers, body, timeout_ms });
	};
	const callPath = (providerId: string): string => `Calls/${encodeURIComponent(providerId)}.json`;
	return {
		async dial(request) {
			const [auth_token] = await settings.authTokens();
			const legUrl = public_base_url + legPath(auth_token, request);
			const from = request.from ?? settings.from;
			const attempt = { to: request.to, from, began_ms: clock.now() };
			const form = new URLSearchParams(dialFields({ ...request, from }, legUrl, settings));
			const outcome = outcomes.dial(await ask('Calls.json', String(form)));
			if (outcome.dial !== 'unclear') return outcome;
			// This request lists the latest calls from our number to the person's number:
			// https://www.twilio.com/docs/voice/api/call-resource#read-multiple-call-resources
			const query = new URLSearchParams({ To: attempt.to, From: attempt.from, PageSize: '20' });
			const calls = await ask(`Calls.json?${query}`, null, LIST_TIMEOUT_MS);
			const provider_id = onlyNewCall(calls, attempt);
			return provider_id === null ? outcome : { dial: 'accepted', provider_id };
		},
		async hangup(providerId) {
			return outcomes.hangup(await ask(callPath(providerId), HANG_UP));
		},
		// Twilio deletes only complete calls. For a call that is not complete, Twilio answers with the code 20009:
		// https://www.twilio.com/docs/voice/api/call-resource#delete-a-call-resource
		async erase(providerId) {
			// For a call of another provider, Twilio would answer 404, which would look like success. But the other
			// provider would still have the record of the call.
			if (!CALL_SID.test(providerId)) return { erase: 'failed', code: 'another_provider' };
			return outcomes.erase(await ask(callPath(providerId), null, TIMEOUT_MS, 'DELETE'));
		},
		async lookup(_, providerId) {
			// Twilio can look up a call only by Twilio's own id.
			if (providerId === null) return { lookup: 'unclear' };
			return outcomes.lookup(await ask(callPath(providerId), null), clock.now());
		},
		async receive(request) {
			const signature = request.headers['x-twilio-signature'];
			// If the request has no Twilio signature, refuse it before reading any secret.
			if (!signature) return { received: 'forged' };
			const tokens = await settings.authTokens();
			if (!isOwnAddress(tokens, request)) return { received: 'forged' };
			const form = new URLSearchParams(request.raw_body);
			if (!isSigned(tokens, signature, public_base_url + request.path, form)) return { received: 'forged' };
			return readCallback(form, asksForInstructions(request.path), clock.now());
		},
		render(instruction, { call_id, path }) {
			return renderMarkup(instruction, call_id, public_base_url + path + RETRIES);
		},
	};
}

function dialFields(
	request: DialRequest & { readonly from: string },
	legUrl: string,
	{ machine_detection }: TwilioOptions,
): [string, string][] {
	return [
		['To', request.to],
		['From', request.from],
		['Url', instructionsPath(legUrl) + RETRIES],
		['Method', 'POST'],
		['StatusCallback', statusPath(legUrl) + RETRIES],
		['StatusCallbackMethod', 'POST'],
		...statusEvents(request).map((event): [string, string] => ['StatusCallbackEvent', event]),
		['Timeout', String(Math.ceil(request.ring_seconds))],
		['TimeLimit', String(TIME_LIMIT_SECONDS)],
		...Object.entries(machine_detection && request.role === 'visitor' ? MACHINE_DETECTION : {}),
	];
}

type DialAttempt = { readonly to: string; readonly from: string; readonly began_ms: number };

const ListedCall = z.object({
	sid: z.string(),
	to: z.string(),
	from: z.string(),
	date_created: z.nullish(z.string()),
	parent_call_sid: z.nullish(z.string()),
});
const Listed = z.object({ calls: z.array(ListedCall) });

/**
 * How far Twilio's clock may be behind ours. In addition, our own time is rounded down to a whole second, as Twilio rounds
 * its times.
 */
const CLOCKS_DIFFER_MS = 1000;

/**
 * Finds the call that a dial without a clear response has placed: the only call between the dial's two numbers that is not
 * older than the dial. Null if the list could not be read, or if it has no such call or several.
 */
function onlyNewCall(result: HttpResult, attempt: DialAttempt): string | null {
	if (result.outcome !== 'response' || result.status !== 200) return null;
	const { calls = [] } = Listed.safeParse(parseJson(result.body)).data ?? {};
	const sinceMs = Math.floor(attempt.began_ms / 1000) * 1000 - CLOCKS_DIFFER_MS;
	const [only, ...others] = calls.filter(
		({ to, from, date_created, parent_call_sid }) =>
			to === attempt.to && from === attempt.from && !parent_call_sid && (readTime(date_created) ?? 0) >= sinceMs,
	);
	return others.length === 0 ? (only?.sid ?? null) : null;
}

/** Whether Twilio signed the request with one of the tokens, either for the URL itself or for the URL with `RETRIES`. */
function isSigned(tokens: readonly string[], signature: string, url: string, form: URLSearchParams): boolean {
	const parameters = signedParameters(form);
	const urls = [url, url + RETRIES];
	return tokens.some((token) => urls.some((each) => isSignedByTwilio(token, signature, each, parameters)));
}
