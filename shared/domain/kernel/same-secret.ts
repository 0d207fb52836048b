import { timingSafeEqual } from 'node:crypto';

/** Whether two texts are the same, compared in constant time: neither a secret nor its MAC can be guessed byte by byte. */
export function isSameSecret(expected: string, given: string): boolean {
	const [one, other] = [Buffer.from(expected), Buffer.from(given)];
	return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}
