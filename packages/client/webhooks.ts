import { createHmac, timingSafeEqual } from 'node:crypto';
import { unquoted } from './unquoted.ts';
import type { EventKind } from './wire.ts';

/**
 * An event whose signature was verified (the specification's "Event envelope"). An event may arrive more than once: it then
 * has the same `id`.
 */
export type WebhookEvent = {
	readonly id: string;
	readonly event: EventKind;
	readonly created_at: string;
	/** `id` is the id of the call or callback lead. */
	readonly data: Readonly<Record<string, string | number | null>>;
};

/** For each reason why a request cannot be verified: what the developer of the receiver should check. */
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
/** How old a signature may be, in seconds, and how far in the future. The specification sets this limit. */
export const TOLERANCE_SECONDS = 300;

/**
 * Reads a header such as `t=<unix>,v1=<hex>`. During a rotation of the secret the header has several `v1`. Other parts are
 * reserved for future versions. Null if the header is malformed.
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
	/** The bytes as they were received, before any JSON parsing. */
	readonly body: string | ArrayBufferView | ArrayBuffer;
	/**
	 * The value of the `Service-Signature` header, or an object that has this header: `Headers`, the headers of Node.js, or the
	 * request itself.
	 */
	readonly header: HeaderValue | HeaderList | { readonly headers: HeaderList };
	/**
	 * The secret of the endpoint: the whole text as you got it. Pass several secrets during a rotation. Quotes and line ends from
	 * a file are removed.
	 */
	readonly secret: string | readonly string[];
};

/**
 * Verifies a webhook with the specification's three rules: the signature is the HMAC-SHA256 of `<t>.<raw body>` with the
 * endpoint's secret, the comparison takes the same time in every case, and `t` is within 300 seconds of now.
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

/**
 * The text of the header. Empty if there is none. The types are checked here, because JavaScript callers have no type
 * check.
 */
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
 * The bytes of a body. Null if it is neither text nor bytes, such as parsed JSON or a promise. An ArrayBuffer is recognised by
 * its text, `[object ArrayBuffer]`, because `instanceof` fails for an ArrayBuffer of another realm.
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
