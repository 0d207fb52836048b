import { randomBytes, randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';
import type { Ids } from '../ports/ids.ts';

/** Draws random bytes for many ids at once. */
const pool = new Uint8Array(1024);
let usedBytes = pool.length;

function byte(): number {
	if (usedBytes === pool.length) {
		randomFillSync(pool);
		usedBytes = 0;
	}
	const next = pool[usedBytes] ?? 0;
	usedBytes += 1;
	return next;
}

/** A fraction in 256 steps. An id uses 32 steps for each character, so all characters are equally likely. */
const fraction = (): number => byte() / 256;

/** Plain ULIDs: the monotonic factory would make neighbours guessable, and a call's id is a secret. */
export const ulidIds: Ids = {
	next: (atMs) => ulid(atMs, fraction),
	random: (bytes) => (bytes === 1 ? Uint8Array.of(byte()) : randomBytes(bytes)),
};
