import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };

/**
 * Any character, for the option `unit` of `fc.string`. fast-check itself has such a unit, but it would build a table of
 * 1,112,064 characters in each process.
 */
export const anyCharacter = fc
	.nat({ max: 0x10ffff - SURROGATES.count })
	.map((n) => String.fromCodePoint(n < SURROGATES.from ? n : n + SURROGATES.count));
