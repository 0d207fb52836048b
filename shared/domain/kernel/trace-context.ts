import { createHash } from 'node:crypto';
import { idBytes } from './id.ts';

// W3C Trace Context, level 1 (https://www.w3.org/TR/trace-context-1/). Nothing is stored: the ids follow from ours.

/** 16 bytes, in lower-case hexadecimal: the 128 bits of the id of the call or lead that the trace is about. */
export function traceIdOf(id: string): string {
	return idBytes(id).toString('hex');
}

/** 8 bytes, in lower-case hexadecimal: the same for the same parts, and never zero, which the standard forbids. */
export function spanIdOf(...parts: readonly string[]): string {
	const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
	digest[0] = (digest[0] ?? 0) | 1;
	return digest.toString('hex', 0, 8);
}

/** The span of one attempt to deliver. Its number is the one that the receiver gets. */
export const attemptSpanId = (deliveryId: string, number: number): string => spanIdOf(deliveryId, String(number));

/** The header `traceparent` (section 3.2), sampled: what receives it continues the trace. */
export const traceparentOf = (subjectId: string, spanId: string): string => `00-${traceIdOf(subjectId)}-${spanId}-01`;
