import { timingSafeEqual } from 'node:crypto';

/** Whether two texts are the same, compared in constant time: neither a secret nor its MAC can be guessed byte by byte. */
export function isSameSecret(a: string, b: string): boolean {
	const [one, other] = [Buffer.from(a), Buffer.from(b)];
	return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}
