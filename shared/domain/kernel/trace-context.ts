import { createHash } from 'node:crypto';
import { idBytes } from './id.ts';

// W3C Trace Context, level 1 (https://www.w3.org/TR/trace-context-1/). Trace ids are not stored, because they are derived
// from our own ids.

/** The 128 bits of the id of the call or lead that the trace is about: 16 bytes in lower-case hexadecimal. */
export function traceIdOf(id: string): string {
	return idBytes(id).toString('hex');
}

/**
 * An id of 8 bytes in lower-case hexadecimal. The same parts always give the same id. The id is never zero, because the
 * standard forbids zero.
 */
export function spanIdOf(...parts: readonly string[]): string {
	const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
	digest[0] = (digest[0] ?? 0) | 1;
	return digest.toString('hex', 0, 8);
}

/**
 * The id of the span of one attempt to deliver a webhook. `number` is the number of the attempt, which the receiver gets,
 * too.
 */
export const attemptSpanId = (deliveryId: string, number: number): string => spanIdOf(deliveryId, String(number));

/** The `traceparent` header (section 3.2), with the flag "sampled", which asks the receiver to continue the trace. */
export const traceparentOf = (subjectId: string, spanId: string): string => `00-${traceIdOf(subjectId)}-${spanId}-01`;
