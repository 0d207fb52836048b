import { randomBytes, randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';
import type { Ids } from '../ports/ids.ts';

/** Random bytes, which are drawn for many ids at once. */
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

/**
 * A random fraction in steps of 1/256. The ULID library makes each random character from one fraction. There are 32
 * possible characters, and 256 is a multiple of 32, so all characters are equally likely.
 */
const fraction = (): number => byte() / 256;

/**
 * The ids are plain ULIDs. With the library's monotonic factory, the id of one call would make the id of the next call
 * guessable, and a call's id is a secret.
 */
export const ulidIds: Ids = {
	next: (atMs) => ulid(atMs, fraction),
	random: (bytes) => (bytes === 1 ? Uint8Array.of(byte()) : randomBytes(bytes)),
};
