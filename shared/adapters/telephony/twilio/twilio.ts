import * as z from 'zod/mini';
import { E164 } from '../../../domain/kernel/phone-number.ts';
import type { DialRequest, ProviderRequest, Received, Telephony } from '../../../ports/telephony.ts';
import { readCallback, statusEvents } from '../call-progress.ts';
import { HANG_UP, hangupOutcome, lookupOutcome, TIME_LIMIT_SECONDS } from '../call-resource.ts';
import { asksForInstructions, instructionsPath, isOwnAddress, legPath, statusPath } from '../callback-path.ts';
import { readForm } from '../form.ts';
import { callHttp, type HttpAnswer, type ProviderOptions } from '../provider-http.ts';
import { renderMarkup } from '../twiml.ts';
import { callsLike, codeIn, dialOutcome, NOT_IN_PROGRESS, onlyNewCall } from './twilio-answers.ts';
import { isSignedByTwilio, signedParameters } from './twilio-signature.ts';

/** What an operator sets (`TelephonySettings`). */
export const TwilioSettings = z.object({
	account_sid: z.string().check(z.regex(/^AC[0-9a-fA-F]{32}$/)),
	/** The number that people see: one of the account's. */
	from: z.string().check(z.regex(E164)),
	/** Whether to detect if a machine answered the visitor's leg; costs money and a moment of silence. */
	machine_detection: z._default(z.boolean(), false),
});
export type TwilioOptions = z.infer<typeof TwilioSettings> &
	ProviderOptions & {
		/**
		 * Read once and cached. The first token is for the REST API; any of them may sign callbacks, so that tokens can rotate.
		 */
		readonly authTokens: () => Promise<readonly [string, ...string[]]>;
	};

export const TWILIO_API_URL = 'https://api.twilio.com';
const TIMEOUT_MS = 8000;
/** The time limit of the search for a call that may have been placed. */
const LIST_TIMEOUT_MS = 4000;
const MACHINE_DETECTION: [string, string][] = [
	['MachineDetection', 'Enable'],
	['MachineDetectionTimeout', '5'],
];
/**
 * Asks for three retries after any failure (https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides). A
 * fragment is not sent, and the documentation does not say whether it is signed.
 */
const RETRIES = '#rc=3&rp=all';

/** Twilio's Programmable Voice over its REST API. */
export function twilioTelephony(settings: TwilioOptions): Telephony {
	const { account_sid, public_base_url, clock } = settings;
	const ask = async (
		method: 'GET' | 'POST',
		path: string,
		body: string | null,
		timeout_ms = TIMEOUT_MS,
	): Promise<HttpAnswer> => {
		const [auth_token] = await settings.authTokens();
		const credentials = Buffer.from(`${account_sid}:${auth_token}`).toString('base64');
		const headers = { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' };
		const url = new URL(`/2010-04-01/Accounts/${account_sid}/${path}`, settings.api_url);
		return callHttp({ method, url, headers, body, timeout_ms });
	};
	const callPath = (provider_id: string): string => `Calls/${encodeURIComponent(provider_id)}.json`;
	return {
		async dial(request) {
			const [auth_token] = await settings.authTokens();
			const leg_url = public_base_url + legPath(auth_token, request);
			const began_ms = clock.now();
			const outcome = dialOutcome(
				await ask('POST', 'Calls.json', String(new URLSearchParams(dialFields(request, leg_url, settings)))),
			);
			if (outcome.dial !== 'unclear') return outcome;
			const listed = await ask('GET', `Calls.json?${callsLike(request.to, settings.from)}`, null, LIST_TIMEOUT_MS);
			const provider_id = onlyNewCall(listed, { to: request.to, from: settings.from, began_ms });
			return provider_id === null ? outcome : { dial: 'accepted', provider_id };
		},
		async hangup(provider_id) {
			const answer = await ask('POST', callPath(provider_id), HANG_UP);
			return hangupOutcome(answer, (_, body) => codeIn(body) === NOT_IN_PROGRESS, codeIn);
		},
		async lookup(_, provider_id) {
			// Twilio can look calls up only by its own id.
			if (provider_id === null) return { lookup: 'unclear' };
			return lookupOutcome(await ask('GET', callPath(provider_id), null), clock.now());
		},
		async receive(request) {
			const signature = request.headers['x-twilio-signature'];
			// Refuse a request without Twilio's signature header before reading any secret.
			if (!signature) return { received: 'forged' };
			return received(request, signature, await settings.authTokens(), settings);
		},
		render(instruction, { call_id, path }) {
			return renderMarkup(instruction, { room: call_id, instructions_url: public_base_url + path + RETRIES });
		},
	};
}

function dialFields(
	{ role, to, ring_seconds, tells_ringing }: DialRequest,
	leg_url: string,
	{ from, machine_detection }: TwilioOptions,
): [string, string][] {
	return [
		['To', to],
		['From', from],
		['Url', instructionsPath(leg_url) + RETRIES],
		['Method', 'POST'],
		['StatusCallback', statusPath(leg_url) + RETRIES],
		['StatusCallbackMethod', 'POST'],
		...statusEvents({ tells_ringing }).map((event): [string, string] => ['StatusCallbackEvent', event]),
		['Timeout', String(Math.ceil(ring_seconds))],
		['TimeLimit', String(TIME_LIMIT_SECONDS)],
		...(machine_detection && role === 'visitor' ? MACHINE_DETECTION : []),
	];
}

function received(
	request: ProviderRequest,
	signature: string,
	auth_tokens: readonly string[],
	settings: TwilioOptions,
): Received {
	const { path, raw_body } = request;
	if (!isOwnAddress(auth_tokens, request)) return { received: 'forged' };
	const fields = readForm(raw_body);
	const parameters = signedParameters(fields);
	const url = settings.public_base_url + path;
	const isGenuine = (auth_token: string): boolean =>
		[url, url + RETRIES].some((asked) => isSignedByTwilio(auth_token, signature, asked, parameters));
	if (!auth_tokens.some(isGenuine)) return { received: 'forged' };
	return readCallback(fields, asksForInstructions(path), settings.clock.now());
}
