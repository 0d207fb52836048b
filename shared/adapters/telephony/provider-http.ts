import { createHmac } from 'node:crypto';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { LegFact } from '../../domain/calls/leg.ts';
import { isSameSecret } from '../../domain/webhooks/webhook-signature.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DialOutcome, EraseOutcome, HangupOutcome, LookupOutcome } from '../../ports/telephony.ts';
import { wholeResponse } from '../https/whole-response.ts';

/** If a response is longer than this, it counts as lost. The responses that we expect are far shorter. */
const MAX_RESPONSE_BYTES = 256 * 1024;

export type ProviderOptions = {
	/** The public address to which callbacks are sent, ending in /v1. */
	readonly public_base_url: string;
	readonly clock: Clock;
	readonly api_url: string;
};
/**
 * The account's secrets. The secrets are read once and then cached. The first secret is used for the REST API and for new
 * legs. Callbacks are accepted with any of the secrets, so that an operator can rotate the secrets.
 */
export type Tokens = () => Promise<readonly [string, ...string[]]>;

export type HttpCall = {
	readonly method: 'GET' | 'POST' | 'DELETE';
	readonly url: URL;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | null;
	/** The time limit of the whole request, from the name look-up to the last byte of the response. */
	readonly timeout_ms: number;
};

type ProviderResponse = {
	readonly outcome: 'response';
	readonly status: number;
	/** The Retry-After header as whole seconds. Null if the header is a date or missing. */
	readonly retry_after_seconds: number | null;
	readonly body: string;
};
export type HttpResult =
	| ProviderResponse
	/** The connection failed, so the server has not seen the request. */
	| { readonly outcome: 'not_sent' }
	/**
	 * There is no complete response, for example because of a time-out or a reset. The server may have acted on the
	 * request.
	 */
	| { readonly outcome: 'lost' };

/** Errors of the name look-up and of the connection. Such errors happen before the first byte of a request is sent. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * Sends one request on a connection of its own. If we sent a dial over an open connection that turned out to be dead, we
 * would not know whether the provider has received the dial.
 */
export async function callHttp({ method, url, headers, body, timeout_ms }: HttpCall): Promise<HttpResult> {
	const send = url.protocol === 'http:' ? plainRequest : tlsRequest;
	const request = send(url, { method, headers, agent: false });
	request.end(body ?? undefined);
	const transmission = await wholeResponse(request, timeout_ms, MAX_RESPONSE_BYTES);
	if (!('failed' in transmission)) {
		request.destroy();
		const { statusCode: status = 0, headers } = transmission.response;
		const retry_after_seconds = wholeSeconds(headers['retry-after']);
		return { outcome: 'response', status, retry_after_seconds, body: transmission.body.toString('utf8') };
	}
	return { outcome: NOT_CONNECTED.has(transmission.failed) ? 'not_sent' : 'lost' };
}

/** Reads a whole number of seconds. Null for any other text, such as the date that a Retry-After header may contain. */
export function wholeSeconds(text = ''): number | null {
	return /^\d{1,6}$/.test(text) ? Number(text) : null;
}

type DialRefusal =
	| { readonly dial: 'rejected'; readonly reason: 'provider_rejected' | 'unreachable' }
	/** The dial may be retried after this time, unless the response names another time. */
	| { readonly dial: 'throttled'; readonly retry_after_seconds: number };

/** How to read the responses of one provider, apart from their status. */
type Dialect = {
	/** The provider's own code for a failure. */
	readonly codeIn: (body: string) => string | null;
	/**
	 * The id of a call that was dialed. Null if only the first callback will contain it. Undefined if the response does not
	 * confirm a call.
	 */
	readonly idIn: (response: ProviderResponse) => string | null | undefined;
	readonly refusal: (code: string, body: string) => DialRefusal;
	/** Whether a hang-up was refused because the call had already ended. */
	readonly isOver: (response: ProviderResponse) => boolean;
	/** The leg's state according to a look-up. Null if the response contains nothing that we know. */
	readonly factIn: (body: unknown, nowMs: number) => LegFact | null;
};

/** The result of a throttled dial whose response does not say how long to wait. */
export const THROTTLED = { dial: 'throttled', retry_after_seconds: 1 } as const;

export function outcomesIn({ codeIn, idIn, refusal, isOver, factIn }: Dialect) {
	/** Why a request failed: the provider's own code, or else the HTTP status, `not_sent` or `lost`. */
	function codeOf(result: HttpResult): string {
		if (result.outcome !== 'response') return result.outcome;
		const code = codeIn(result.body);
		return code !== null && /^[\w.-]{1,40}$/.test(code) ? code : `http_${result.status}`;
	}
	return {
		dial(result: HttpResult): DialOutcome {
			const code = codeOf(result);
			if (result.outcome === 'not_sent') return { dial: 'throttled', retry_after_seconds: 1, code };
			if (result.outcome === 'lost') return { dial: 'unclear', code };
			const { status, body, retry_after_seconds } = result;
			const provider_id = idIn(result);
			if (provider_id !== undefined) return { dial: 'accepted', provider_id };
			if (status < 400 || status >= 500) return { dial: 'unclear', code };
			const verdict: DialRefusal = status === 429 ? THROTTLED : refusal(code, body);
			if (verdict.dial === 'rejected') return { ...verdict, code };
			return { dial: 'throttled', retry_after_seconds: retry_after_seconds ?? verdict.retry_after_seconds, code };
		},
		hangup(result: HttpResult): HangupOutcome {
			const unclear = { hangup: 'unclear', code: codeOf(result) } as const;
			if (result.outcome !== 'response') return unclear;
			if (result.status >= 200 && result.status < 300) return { hangup: 'done' };
			return result.status === 404 || isOver(result) ? { hangup: 'already_over' } : unclear;
		},
		erase(result: HttpResult): EraseOutcome {
			const failed = { erase: 'failed', code: codeOf(result) } as const;
			if (result.outcome !== 'response') return failed;
			if (result.status >= 200 && result.status < 300) return { erase: 'done' };
			return result.status === 404 ? { erase: 'gone' } : failed;
		},
		lookup(result: HttpResult, nowMs: number): LookupOutcome {
			if (result.outcome !== 'response') return { lookup: 'unclear' };
			if (result.status === 404) return { lookup: 'missing' };
			const fact = result.status === 200 ? factIn(parseJson(result.body), nowMs) : null;
			return fact === null ? { lookup: 'unclear' } : { lookup: 'found', fact };
		},
	};
}

/** Reads JSON. Undefined if the text is not JSON, because a gateway may answer in its own format. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

// The contract's routes for a provider's callbacks (`status`) and for its requests for instructions (`instructions`). The
// address of a leg ends in a MAC. So only the provider, which gets the address with a dial, can know the address: see
// docs/decisions/0012-a-legs-callback-address-carries-a-mac.md.

/** A MAC of 128 bits cannot be guessed, and keeps addresses short. */
const MAC_BYTES = 16;

type LegIds = { readonly call_id: string; readonly leg_id: string };

/**
 * The MAC in a leg's address. `secret` is shared with the provider. The label makes this MAC differ from the MACs that the
 * secret makes for other purposes.
 */
function macOf(secret: string, { call_id, leg_id }: LegIds): string {
	const mac = createHmac('sha256', secret).update(`leg-address\n${call_id}\n${leg_id}`).digest();
	return mac.subarray(0, MAC_BYTES).toString('base64url');
}

/** The path of a leg's routes, relative to the base URL. */
export function legPath(secret: string, ids: LegIds): string {
	return `/telephony/${ids.call_id}/${ids.leg_id}.${macOf(secret, ids)}`;
}

/** Whether the MAC in a request's address was made with one of these secrets. */
export function isOwnAddress(
	secrets: readonly string[],
	{ leg_mac, ...ids }: LegIds & { readonly leg_mac: string },
): boolean {
	return secrets.some((secret) => isSameSecret(macOf(secret, ids), leg_mac));
}

export const statusPath = (path: string): string => `${path}/status`;
export const instructionsPath = (path: string): string => `${path}/instructions`;
export const asksForInstructions = (path: string): boolean => path.endsWith('/instructions');
