import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import * as z from 'zod/mini';
import type { LegFact } from '../../../domain/calls/leg.ts';
import { E164 } from '../../../domain/kernel/phone-number.ts';
import type { ProviderRequest, ReceiveOutcome, Telephony } from '../../../ports/telephony.ts';
import { factOfCall, HANG_UP, readCallback, statusEvents, TIME_LIMIT_SECONDS } from '../call-resource.ts';
import {
	asksForInstructions,
	callHttp,
	instructionsPath,
	isOwnAddress,
	legPath,
	outcomesIn,
	type ProviderOptions,
	parseJson,
	statusPath,
	type Tokens,
} from '../provider-http.ts';
import { renderMarkup } from '../twiml.ts';

/** The operator's settings. infra/properties.ts has the names of these settings in a deployment. */
export const TelnyxSettings = z.object({
	/** The organisation to which the TeXML application belongs. */
	account_sid: z.string().check(z.minLength(1)),
	/**
	 * The TeXML application. This application determines the outbound voice profile, and so the countries that may be
	 * called.
	 */
	application_sid: z.string().check(z.minLength(1)),
	/** Base64 of the 32 bytes that Telnyx shows as the account's public key. */
	public_key: z.string().check(z.regex(/^[A-Za-z0-9+/]{43}=$/)),
	from: z.string().check(z.regex(E164)),
	/** The region in which Telnyx normally processes requests. */
	region: z.optional(z.enum(['us', 'eu'])),
});
export type TelnyxOptions = z.infer<typeof TelnyxSettings> & ProviderOptions & { readonly apiKeys: Tokens };

/**
 * The REST API of each region. The same keys work in all regions
 * (https://developers.telnyx.com/docs/account-setup/regional-endpoints).
 */
const API_HOSTS = { us: 'api.telnyx.com', eu: 'api.telnyx.eu' } as const;
/** No other file contains the host names of Telnyx. */
export const telnyxApiUrl = ({ region = 'us' }: z.infer<typeof TelnyxSettings>): string =>
	`https://${API_HOSTS[region]}`;

/** Telnyx's documentation of the API for calls. This documentation describes no way to delete a call (read 2026-11-27). */
const CALLS_DOCUMENT = 'https://developers.telnyx.com/docs/voice/texml/rest-api/calls';
const TIMEOUT_MS = 8000;
/** The ring times that Telnyx accepts, in seconds. */
const RING_SECONDS = { least: 5, most: 120 };
const TOLERANCE_SECONDS = 300;
/**
 * The two headers of Telnyx's signature. Telnyx documents these headers only for callbacks, so a request for instructions
 * may come without them. If we refused such requests, every answered call would be hung up. If a request has one of the
 * headers, its signature must be valid.
 */
const STAMP = 'telnyx-timestamp';
const SIGNATURE = 'telnyx-signature-ed25519';

/**
 * Telnyx's description of the response to a dial guarantees neither of these fields. If the response has no id, the first
 * callback contains the id.
 */
const Created = z.object({ sid: z.optional(z.string()), call_sid: z.optional(z.string()) });

const ErrorBody = z.object({ errors: z.array(z.object({ code: z.union([z.string(), z.number()]) })) });

/**
 * The error if all channels are in use. New accounts have two channels, and a channel is free again as soon as a call ends.
 * Telnyx reports this as a text that ends with a code
 * (https://developers.telnyx.com/docs/voice/sip-trunking/configuration/concurrent-limits). The text is in the response to a
 * dial or, as we believe, in the callback of a dial that was accepted.
 */
const NO_CHANNEL = /channel limit exceeded|concurrent (?:outbound )?calls? (?:limit )?exceed|\bD(?:1|2|22|3)\b/i;
const CHANNEL_RETRY_SECONDS = 2;

const outcomes = outcomesIn({
	/** The code of the first error (https://developers.telnyx.com/api/errors). */
	codeIn(body) {
		const [first] = ErrorBody.safeParse(parseJson(body)).data?.errors ?? [];
		return first === undefined ? null : String(first.code);
	},
	idIn({ status, body }) {
		if (status < 200 || status >= 300) return undefined;
		const createdCall = Created.safeParse(parseJson(body)).data;
		return createdCall?.sid ?? createdCall?.call_sid ?? null;
	},
	refusal: (_, body) =>
		NO_CHANNEL.test(body)
			? { dial: 'throttled', retry_after_seconds: CHANNEL_RETRY_SECONDS }
			: { dial: 'rejected', reason: 'provider_rejected' },
	isOver: ({ status }) => status === 422,
	factIn: factOfCall,
});

/**
 * Telnyx, used through TeXML, which is Telnyx's variant of TwiML
 * (https://developers.telnyx.com/docs/voice/programmable-voice/texml-setup).
 */
export function telnyxTelephony(settings: TelnyxOptions): Telephony {
	const { account_sid, public_base_url, clock } = settings;
	const publicKey = ed25519Key(settings.public_key);
	/** Sends a request: a GET if there is no body, and otherwise a POST. */
	const ask = async (path: string, body: string | null, type = 'application/json') => {
		const method = body === null ? 'GET' : 'POST';
		const [api_key] = await settings.apiKeys();
		const headers = { authorization: `Bearer ${api_key}`, 'content-type': type };
		const url = new URL(`/v2/texml/Accounts/${encodeURIComponent(account_sid)}/${path}`, settings.api_url);
		return callHttp({ method, url, headers, body, timeout_ms: TIMEOUT_MS });
	};
	const callPath = (providerId: string): string => `Calls/${encodeURIComponent(providerId)}`;
	return {
		async dial(request) {
			const [api_key] = await settings.apiKeys();
			const legUrl = public_base_url + legPath(api_key, request);
			const body = JSON.stringify({
				ApplicationSid: settings.application_sid,
				To: request.to,
				From: request.from ?? settings.from,
				Url: instructionsPath(legUrl),
				UrlMethod: 'POST',
				StatusCallback: statusPath(legUrl),
				StatusCallbackMethod: 'POST',
				// Telnyx's response to a dial may have no id. In that case, the first callback contains the id.
				StatusCallbackEvent: ['initiated', ...statusEvents(request)].join(' '),
				Timeout: Math.min(RING_SECONDS.most, Math.max(RING_SECONDS.least, Math.ceil(request.ring_seconds))),
				TimeLimit: TIME_LIMIT_SECONDS,
			});
			return outcomes.dial(await ask('Calls', body));
		},
		async hangup(providerId) {
			return outcomes.hangup(await ask(callPath(providerId), HANG_UP, 'application/x-www-form-urlencoded'));
		},
		async erase() {
			return { erase: 'not_supported', document: CALLS_DOCUMENT };
		},
		async lookup(_, providerId) {
			if (providerId === null) return { lookup: 'unclear' };
			return outcomes.lookup(await ask(callPath(providerId), null), clock.now());
		},
		async receive(request) {
			const isInstructionRequest = asksForInstructions(request.path);
			const isUnsigned =
				isInstructionRequest && request.headers[SIGNATURE] === undefined && request.headers[STAMP] === undefined;
			if (!isUnsigned && !isSignedByTelnyx(request, publicKey, clock.now())) return { received: 'forged' };
			if (!isOwnAddress(await settings.apiKeys(), request)) return { received: 'forged' };
			const callback = readTelnyxCallback(new URLSearchParams(request.raw_body), isInstructionRequest, clock.now());
			return isUnsigned && callback.received === 'fact' ? { ...callback, unsigned: isUnsigned } : callback;
		},
		render(instruction, { call_id, path }) {
			return renderMarkup(instruction, call_id, public_base_url + path);
		},
	};
}

/** Like `readCallback`, but also finds out whether the leg ended because no channel was free. */
export function readTelnyxCallback(
	form: URLSearchParams,
	isInstructionRequest: boolean,
	nowMs: number,
): ReceiveOutcome {
	const callback = readCallback(form, isInstructionRequest, nowMs);
	if (callback.received !== 'fact' || !hadNoChannel(form, callback.fact)) return callback;
	return { ...callback, fact: { ...callback.fact, no_channel: true } };
}

function hadNoChannel(form: URLSearchParams, { rank, cause }: LegFact): boolean {
	if (rank !== 'ended' || cause === 'completed') return false;
	return ['ErrorMessage', 'ErrorCode', 'HangupCause'].some((name) => NO_CHANNEL.test(form.get(name) ?? ''));
}

function ed25519Key(base64: string): KeyObject {
	const x = Buffer.from(base64, 'base64').toString('base64url');
	return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/**
 * Whether Telnyx signed this request. Telnyx signs the time and the body, but not the URL. The MAC in the address shows
 * that the request belongs to this leg.
 */
function isSignedByTelnyx({ headers, raw_body }: ProviderRequest, publicKey: KeyObject, nowMs: number): boolean {
	const stamp = headers[STAMP] ?? '';
	const signature = headers[SIGNATURE] ?? '';
	const isFresh = /^\d{1,12}$/.test(stamp) && Math.abs(nowMs / 1000 - Number(stamp)) <= TOLERANCE_SECONDS;
	if (!isFresh || signature === '') return false;
	return verify(null, Buffer.from(`${stamp}|${raw_body}`), publicKey, Buffer.from(signature, 'base64'));
}
