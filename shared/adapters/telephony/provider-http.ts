import { createHmac } from 'node:crypto';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { LegFact } from '../../domain/calls/leg.ts';
import { isSameSecret } from '../../domain/webhooks/webhook-signature.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DialOutcome, EraseOutcome, HangupOutcome, LookupOutcome } from '../../ports/telephony.ts';
import { wholeResponse } from '../https/whole-response.ts';

/** Longer responses are cut off; no expected response is nearly as long. */
const MAX_RESPONSE_BYTES = 256 * 1024;

export type ProviderOptions = {
	/** The public address that callbacks go to, ending in /v1. */
	readonly public_base_url: string;
	readonly clock: Clock;
	readonly api_url: string;
};
/**
 * The account's secrets, read once and cached. The first is for the REST API and new legs; callbacks are accepted with any
 * of them, so that they can rotate.
 */
export type Tokens = () => Promise<readonly [string, ...string[]]>;

export type HttpCall = {
	readonly method: 'GET' | 'POST' | 'DELETE';
	readonly url: URL;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | null;
	/** The time limit for everything, from the name look-up to the last byte of the response. */
	readonly timeout_ms: number;
};

type ProviderResponse = {
	readonly outcome: 'response';
	readonly status: number;
	/** The whole seconds of a Retry-After that is not a date. */
	readonly retry_after_seconds: number | null;
	readonly body: string;
};
export type HttpResult =
	| ProviderResponse
	/** The connection failed, so the server has not seen the request. */
	| { readonly outcome: 'not_sent' }
	/** Time-out or reset: the server may or may not have acted on it. */
	| { readonly outcome: 'lost' };

/** Failures of name look-up and connection, which happen before the first byte of a request. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * Sends one request, on a connection of its own: after a dial on a kept connection that turned out to be dead, it would be
 * unknown whether the provider received it.
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

/** Null for any other text, such as the date that Retry-After may hold. */
export function wholeSeconds(text = ''): number | null {
	return /^\d{1,6}$/.test(text) ? Number(text) : null;
}

type DialRefusal =
	| { readonly dial: 'rejected'; readonly reason: 'provider_rejected' | 'unreachable' }
	/** The dial may be retried after this time, unless the response names another. */
	| { readonly dial: 'throttled'; readonly retry_after_seconds: number };

/** How to read a provider's responses, in addition to their status. */
type Dialect = {
	/** The provider's own code for a failure. */
	readonly codeIn: (body: string) => string | null;
	/** The id of a dialled call; null if the first callback contains it, undefined if the response confirms no call. */
	readonly idIn: (response: ProviderResponse) => string | null | undefined;
	readonly refusal: (code: string, body: string) => DialRefusal;
	/** Whether a hang-up was refused because the call has ended. */
	readonly isOver: (response: ProviderResponse) => boolean;
	/** What a look-up reports; null: nothing that we know. */
	readonly factIn: (body: unknown, nowMs: number) => LegFact | null;
};

/** A throttled dial whose response names no time to wait. */
export const THROTTLED = { dial: 'throttled', retry_after_seconds: 1 } as const;

export function outcomesIn({ codeIn, idIn, refusal, isOver, factIn }: Dialect) {
	/** Why a request failed: the provider's own code if there is one, otherwise what happened to the request. */
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

/** Undefined if the text is not JSON: a gateway may answer in its own format. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

// The contract's routes for a provider's callbacks (`status`) and requests for instructions (`instructions`). The address
// of a leg ends in a MAC, so that only the provider that got it in a dial knows it: see
// docs/decisions/0012-a-legs-callback-address-carries-a-mac.md.

/** 128 bits cannot be guessed, and keep addresses short. */
const MAC_BYTES = 16;

type LegIds = { readonly call_id: string; readonly leg_id: string };

/** The MAC of a leg's address. `secret` is shared with the provider; the label separates this purpose from others. */
function macOf(secret: string, { call_id, leg_id }: LegIds): string {
	const mac = createHmac('sha256', secret).update(`leg-address\n${call_id}\n${leg_id}`).digest();
	return mac.subarray(0, MAC_BYTES).toString('base64url');
}

/** The path of a leg's routes, below the base URL. */
export function legPath(secret: string, ids: LegIds): string {
	return `/telephony/${ids.call_id}/${ids.leg_id}.${macOf(secret, ids)}`;
}

/** Whether one of these secrets made the address of a request. */
export function isOwnAddress(
	secrets: readonly string[],
	{ leg_mac, ...ids }: LegIds & { readonly leg_mac: string },
): boolean {
	return secrets.some((secret) => isSameSecret(macOf(secret, ids), leg_mac));
}

export const statusPath = (path: string): string => `${path}/status`;
export const instructionsPath = (path: string): string => `${path}/instructions`;
export const asksForInstructions = (path: string): boolean => path.endsWith('/instructions');
