import { createHmac, timingSafeEqual } from 'node:crypto';
import { unquoted } from './unquoted.ts';
import type { EventKind } from './wire.ts';

/** A verified event (the specification's "Event envelope"). Deduplicate by `id`. */
export type WebhookEvent = {
	readonly id: string;
	readonly event: EventKind;
	readonly created_at: string;
	/** `id` is the id of the call or callback lead. */
	readonly data: Readonly<Record<string, string | number | null>>;
};

/** Why a request is not genuine, and what to check. */
const HINTS = {
	secret_missing: 'No secret was given, or an empty one: read it from where you keep it.',
	body_not_raw: 'The body is not a string or bytes: verify it as it was received, before any JSON parsing.',
	signature_missing: 'There is no Service-Signature header.',
	signature_malformed: 'The header is not t=<unix seconds>,v1=<64 hex digits>.',
	timestamp_out_of_tolerance: 'It was signed more than 300 seconds from now: an old request, or a clock that is wrong.',
	signature_mismatch: 'No v1 fits: the secret of another endpoint, or a body that was changed or parsed and rewritten.',
	body_invalid: 'The signature is right, but the body is no event.',
} as const;
export type VerificationError = keyof typeof HINTS;

export type Verification =
	| { readonly verified: true; readonly event: WebhookEvent }
	| { readonly verified: false; readonly error: VerificationError; readonly hint: string };

const HEADER = 'service-signature';
/** The specification's limit on the age of a signature, in seconds, in both directions. */
export const TOLERANCE_SECONDS = 300;

/**
 * `t=<unix>,v1=<hex>`; during a rotation of the secret there are several `v1`. Other parts are reserved for future
 * versions.
 */
function parseSignature(header: string): { readonly t: string; readonly v1: readonly string[] } | null {
	const pairs = header.split(',').map((part) => part.trim().split('=', 2));
	const t = pairs.find(([name]) => name === 't')?.[1] ?? '';
	const v1 = pairs.filter(([name]) => name === 'v1').map(([, value]) => value ?? '');
	return /^\d{1,12}$/.test(t) && v1.length > 0 ? { t, v1 } : null;
}

function equal(hex: string, expected: Buffer): boolean {
	return /^[0-9a-f]{64}$/i.test(hex) && timingSafeEqual(Buffer.from(hex, 'hex'), expected);
}

type HeaderValue = string | readonly string[] | null | undefined;
type HeaderList = { get(name: string): string | null } | Readonly<Record<string, HeaderValue>>;

export type SignedRequest = {
	/** The bytes as received, before any JSON parsing. */
	readonly body: string | ArrayBufferView | ArrayBuffer;
	/** The value of `Service-Signature`, or an object that has it: `Headers`, the headers of Node.js, or the request itself. */
	readonly header: HeaderValue | HeaderList | { readonly headers: HeaderList };
	/** The endpoint's secret: the whole string as given. Pass several during a rotation. A file's quotes and line end are dropped. */
	readonly secret: string | readonly string[];
};

/**
 * Verifies a webhook by the specification's three rules: HMAC-SHA256 with the endpoint's secret over
 * `<t>.<raw body>`, compared in constant time, and `t` within 300 seconds of now.
 */
export function verifyWebhook(input: SignedRequest, nowMs: number = Date.now()): Verification {
	const error = refusalOf(input, nowMs);
	if (error !== null) return refusal(error);
	const event = parseEvent(bytesOf(input.body)?.toString('utf8') ?? '');
	return event === null ? refusal('body_invalid') : { verified: true, event };
}

function refusal(error: VerificationError): Verification {
	return { verified: false, error, hint: HINTS[error] };
}

/** The header's text; empty if there is none. JavaScript callers have no type check. */
function headerIn(given: SignedRequest['header']): string {
	if (typeof given === 'string') return given;
	if (typeof given !== 'object' || given === null) return '';
	if (Array.isArray(given)) return given.join(',');
	const held = 'headers' in given && typeof given.headers === 'object' ? given.headers : given;
	if (held === null || Array.isArray(held)) return '';
	if ('get' in held && typeof held.get === 'function') return held.get(HEADER) ?? '';
	const value: unknown = Object.entries(held).find(([name]) => name.toLowerCase() === HEADER)?.[1];
	return typeof value === 'string' || Array.isArray(value) ? headerIn(value) : '';
}

/**
 * Null if the body is neither text nor bytes, such as parsed JSON or a promise. An ArrayBuffer of another realm is not an
 * `instanceof` ours.
 */
function bytesOf(body: SignedRequest['body']): Buffer | null {
	if (typeof body === 'string') return Buffer.from(body);
	if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
	return /^\[object (Shared)?ArrayBuffer\]$/.test(String(body)) ? Buffer.from(body) : null;
}

function refusalOf({ body: received, header: given, secret }: SignedRequest, nowMs: number): VerificationError | null {
	const secrets = (typeof secret === 'string' ? [secret] : secret)?.map?.(unquoted) ?? [];
	// Anyone can sign with an empty key, and JavaScript callers have no type check.
	if (secrets.length === 0 || !secrets.every(Boolean)) return 'secret_missing';
	const body = bytesOf(received);
	if (body === null) return 'body_not_raw';
	const header = headerIn(given);
	if (!header) return 'signature_missing';
	const signature = parseSignature(header);
	if (signature === null) return 'signature_malformed';
	if (Math.abs(nowMs / 1000 - Number(signature.t)) > TOLERANCE_SECONDS) return 'timestamp_out_of_tolerance';
	const fits = secrets.some((key) => {
		const expected = createHmac('sha256', key).update(`${signature.t}.`).update(body).digest();
		return signature.v1.some((hex) => equal(hex, expected));
	});
	return fits ? null : 'signature_mismatch';
}

function parseEvent(body: string): WebhookEvent | null {
	try {
		const event: WebhookEvent = JSON.parse(body);
		return typeof event.id === 'string' && typeof event.event === 'string' ? event : null;
	} catch {
		return null;
	}
}
