import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EventKind } from '../shared/domain/event.ts';

/** A verified event (the specification's "Event envelope"). Deduplicate by `id`. */
export type WebhookEvent = {
	readonly id: string;
	readonly event: EventKind;
	readonly created_at: string;
	readonly data: Readonly<Record<string, string | number | null>>;
};

export type VerificationError =
	| 'signature_missing'
	| 'signature_malformed'
	| 'timestamp_out_of_tolerance'
	| 'signature_mismatch'
	| 'body_invalid';
export type Verification =
	| { readonly verified: true; readonly event: WebhookEvent }
	| { readonly verified: false; readonly error: VerificationError };

/** The specification's limit on the age of a signature, in seconds, in both directions. */
export const TOLERANCE_SECONDS = 300;

/** `t=<unix>,v1=<hex>`; during a rotation of the secret there are several `v1`. */
function parseSignature(header: string): { readonly t: number; readonly v1: readonly string[] } | null {
	const pairs = header.split(',').map((part) => part.trim().split('=', 2));
	const t = pairs.find(([name]) => name === 't')?.[1] ?? '';
	const v1 = pairs.filter(([name]) => name === 'v1').map(([, value]) => value ?? '');
	return /^\d{1,12}$/.test(t) && v1.length > 0 ? { t: Number(t), v1 } : null;
}

function equal(hex: string, expected: Buffer): boolean {
	const given = Buffer.from(hex, 'hex');
	return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * Verifies a webhook by the specification's three rules: HMAC-SHA256 with the endpoint's secret over
 * `<t>.<raw body>`, compared in constant time, and `t` within 300 seconds of now.
 *
 * `body` must be the bytes as received, before any JSON parsing. `header` is the value of `Service-Signature`.
 */
export function verifyWebhook(
	input: { readonly body: string | Uint8Array; readonly header: string | null | undefined; readonly secret: string },
	now_ms: number = Date.now(),
): Verification {
	if (!input.header) return { verified: false, error: 'signature_missing' };
	const signature = parseSignature(input.header);
	if (signature === null) return { verified: false, error: 'signature_malformed' };
	if (Math.abs(now_ms / 1000 - signature.t) > TOLERANCE_SECONDS) {
		return { verified: false, error: 'timestamp_out_of_tolerance' };
	}
	const expected = createHmac('sha256', input.secret).update(`${signature.t}.`).update(input.body).digest();
	if (!signature.v1.some((hex) => equal(hex, expected))) return { verified: false, error: 'signature_mismatch' };
	const event = parseEvent(typeof input.body === 'string' ? input.body : Buffer.from(input.body).toString('utf8'));
	return event === null ? { verified: false, error: 'body_invalid' } : { verified: true, event };
}

function parseEvent(body: string): WebhookEvent | null {
	try {
		const event: WebhookEvent = JSON.parse(body);
		return typeof event.id === 'string' && typeof event.event === 'string' ? event : null;
	} catch {
		return null;
	}
}
