import { createHash } from 'node:crypto';
import type { Challenge } from '../../shared/domain/visitors/proof-of-work.ts';
import { createMiner } from '../../widget/proof/mine.ts';

/** The header `Proof-Of-Work` for a challenge, solved as the widget does: takes a quarter of a second. */
export function proofFor({ challenge, rounds, zero_bits }: Challenge): string {
	const seed = createHash('sha256').update(challenge).digest();
	const words = Array.from({ length: 8 }, (_, word) => seed.readInt32BE(4 * word));
	const solutions = createMiner(words, rounds, zero_bits).step(Number.POSITIVE_INFINITY);
	return `${challenge}:${solutions?.join(',')}`;
}
