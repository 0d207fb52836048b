import { randomBytes, randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';
import type { Ids } from '../ports/ids.ts';

/** Draws random bytes for many ids at once. */
const pool = new Uint8Array(1024);
let used_bytes = pool.length;

function byte(): number {
	if (used_bytes === pool.length) {
		randomFillSync(pool);
		used_bytes = 0;
	}
	const next = pool[used_bytes] ?? 0;
	used_bytes += 1;
	return next;
}

/** A fraction in 256 steps, of which an id uses 32 for each character, so that all are equally likely. */
const fraction = (): number => byte() / 256;

/** Plain ULIDs: the monotonic factory would make neighbours guessable, and a call's id is a secret. */
export const ulidIds: Ids = {
	next: (at_ms) => ulid(at_ms, fraction),
	random: (bytes) => (bytes === 1 ? Uint8Array.of(byte()) : randomBytes(bytes)),
};
