/**
 * Starts the search for the solutions to a challenge: for each round the least number whose SHA-256, together with the
 * challenge's own hash (`seed`, 8 words of 32 bits) and the round, begins with `bits` zero bits. The search goes on by
 * `step(tries)`, which answers the solutions when it has them all.
 *
 * Self-contained, because its source text is what a worker runs.
 */
export function createMiner(seed: readonly number[], rounds: number, bits: number) {
	/** SHA-256 (FIPS 180-4) of one block: 40 bytes of message, their padding, and their length in bits. */
	const message = new Int32Array(64);
	message.set(seed);
	message[10] = 0x80000000;
	message[15] = 320;
	/** The first 32 bits of the fractional parts of the cube roots (`constants`) and square roots (`initial`) of primes. */
	const constants = new Int32Array(64);
	const initial = new Int32Array(8);
	const fraction = (root: number): number => ((root % 1) * 2 ** 32) | 0;
	for (let prime = 2, found = 0; found < 64; prime += 1) {
		let divisor = 2;
		while (prime % divisor) divisor += 1;
		if (divisor !== prime) continue;
		if (found < 8) initial[found] = fraction(prime ** (1 / 2));
		constants[found] = fraction(prime ** (1 / 3));
		found += 1;
	}
	const at = (words: Int32Array, index: number): number => words[index] ?? 0;
	const [a0 = 0, b0 = 0, c0 = 0, d0 = 0, e0 = 0, f0 = 0, g0 = 0, h0 = 0] = initial;

	/** The first word of the hash of the message. */
	function firstWord(): number {
		for (let i = 16; i < 64; i += 1) {
			const x = at(message, i - 15);
			const y = at(message, i - 2);
			const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
			const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
			message[i] = at(message, i - 16) + s0 + at(message, i - 7) + s1;
		}
		let [a, b, c, d, e, f, g, h] = [a0, b0, c0, d0, e0, f0, g0, h0];
		for (let i = 0; i < 64; i += 1) {
			const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
			const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(constants, i) + at(message, i)) | 0;
			const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
			const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
			h = g;
			g = f;
			f = e;
			e = (d + t1) | 0;
			d = c;
			c = b;
			b = a;
			a = (t1 + t2) | 0;
		}
		return (a + a0) | 0;
	}

	const solutions: number[] = [];
	let next = 0;
	return {
		step(tries: number): readonly number[] | null {
			for (let left = tries; left > 0 && solutions.length < rounds; left -= 1) {
				message[8] = solutions.length;
				message[9] = next;
				if (Math.clz32(firstWord()) < bits) next += 1;
				else {
					solutions.push(next);
					next = 0;
				}
			}
			return solutions.length === rounds ? solutions : null;
		},
	};
}
export type Miner = ReturnType<typeof createMiner>;
