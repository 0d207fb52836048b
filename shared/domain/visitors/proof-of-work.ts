import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The work of one request while a workspace is busy: 32 searches of 2^13 hashes on average, 262,144 in all. Many small searches
 * vary less than a large one (1.5 times the average is one in a hundred), so that no visitor has bad luck. ADR 0043 has the figures.
 */
const ROUNDS = 32;
const ZERO_BITS = 13;
/** A slow phone must have solved and sent it by then. */
const VALID_SECONDS = 300;

/**
 * The work that the service requires: for each of `rounds` rounds, a number whose hash begins with `zero_bits` zero bits.
 */
export type Challenge = { readonly challenge: string; readonly rounds: number; readonly zero_bits: number };
/** Work that was done, and what the challenge itself says. */
export type Proof = Challenge & {
	readonly solutions: readonly number[];
	/** Another in every challenge. */
	readonly id: string;
	readonly expires_at_epoch_s: number;
	readonly mac: string;
};

/** Random bytes of a challenge. */
export const CHALLENGE_BYTES = 12;
// A challenge: when it expires, zero bits, rounds, random bytes, MAC over these.
const PROOF =
	/^(?<challenge>(?<signed>(?<expires>\d{10})\.(?<zero_bits>\d{1,2})\.(?<rounds>\d{1,2})\.(?<id>[\w-]{16}))\.(?<mac>[\w-]{43})):(?<solutions>\d{1,10}(?:,\d{1,10})*)$/;

function macOf(signed: string, bound_to: string, key: Uint8Array): Buffer {
	return createHmac('sha256', key)
		.update(JSON.stringify([signed, bound_to]))
		.digest();
}

/** Work that only who is `bound_to` may show, once. `key`: 32 secret bytes. Nothing is stored. */
export function newChallenge(random: Uint8Array, bound_to: string, now_ms: number, key: Uint8Array): Challenge {
	const expires = Math.floor(now_ms / 1000) + VALID_SECONDS;
	const signed = `${expires}.${ZERO_BITS}.${ROUNDS}.${Buffer.from(random).toString('base64url')}`;
	const mac = macOf(signed, bound_to, key).toString('base64url');
	return { challenge: `${signed}.${mac}`, rounds: ROUNDS, zero_bits: ZERO_BITS };
}

/** Reads the header `Proof-Of-Work`: the challenge, a colon, and the solutions with commas between. Null: it is no such text. */
export function readProof(header: string): (Proof & { readonly signed: string }) | null {
	const read = PROOF.exec(header);
	if (!read?.groups) return null;
	const { challenge = '', signed = '', expires, zero_bits, rounds, id = '', mac = '', solutions = '' } = read.groups;
	return {
		...{ challenge, signed, id, mac },
		...{ rounds: Number(rounds), zero_bits: Number(zero_bits), expires_at_epoch_s: Number(expires) },
		solutions: solutions.split(',').map(Number),
	};
}

/**
 * Whether the challenge is ours, for `bound_to` and not expired, and whether the work is done. It costs one MAC, and the
 * hashes only if the challenge is ours. The store detects a proof that was used before.
 */
export function isProven(
	proof: NonNullable<ReturnType<typeof readProof>>,
	bound_to: string,
	now_ms: number,
	key: Uint8Array,
): boolean {
	if (proof.expires_at_epoch_s * 1000 <= now_ms) return false;
	const mac = macOf(proof.signed, bound_to, key);
	return timingSafeEqual(mac, Buffer.from(proof.mac, 'base64url')) && isSolved(proof);
}

/** The hash of a solution is SHA-256 of the challenge's own SHA-256, the round (from 0) and the number, each of 4 bytes, big-endian. */
function isSolved({ challenge, rounds, zero_bits, solutions }: Proof): boolean {
	if (solutions.length !== rounds) return false;
	const message = Buffer.alloc(40);
	createHash('sha256').update(challenge).digest().copy(message);
	return solutions.every((solution, round) => {
		if (solution > 0xffffffff) return false;
		message.writeUInt32BE(round, 32);
		message.writeUInt32BE(solution, 36);
		return Math.clz32(createHash('sha256').update(message).digest().readUInt32BE(0)) >= zero_bits;
	});
}
