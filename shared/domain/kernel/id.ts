import { createHash } from 'node:crypto';

/** Crockford base 32, the alphabet of ULIDs (https://github.com/ulid/spec). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARS = 10;

/** Every id in requests and responses: 26 characters of Crockford base 32. */
export const ID_PATTERN = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The first ten characters of every ULID of this millisecond. These characters encode the time. */
export function idTimePrefix(epochMs: number): string {
	let rest = Math.min(Math.max(Math.trunc(epochMs), 0), 2 ** 48 - 1);
	let text = '';
	for (let i = 0; i < TIME_CHARS; i += 1) {
		text = ALPHABET.charAt(rest % 32) + text;
		rest = Math.floor(rest / 32);
	}
	return text;
}

/** The smallest possible id of this millisecond: no id of this millisecond or of a later time is smaller. */
export function lowestIdAt(epochMs: number): string {
	return idTimePrefix(epochMs) + '0'.repeat(16);
}

/** The millisecond of an id, from its first ten characters. */
export const timeOfId = (id: string): number =>
	[...id.slice(0, TIME_CHARS)].reduce((time, character) => time * 32 + ALPHABET.indexOf(character), 0);

/** The smallest id that is greater than `id`. */
export function idAfter(id: string): string {
	const last = id.search(/[^Z]Z*$/);
	if (last === -1) throw new RangeError('no id follows the last');
	const next = ALPHABET.charAt(ALPHABET.indexOf(id.charAt(last)) + 1);
	return (id.slice(0, last) + next).padEnd(id.length, '0');
}

/** The 128 bits of an id. Its 26 characters hold 130 bits; the first two are always 0. */
export function idBytes(id: string): Buffer {
	const value = [...id].reduce((sum, character) => sum * 32n + BigInt(ALPHABET.indexOf(character)), 0n);
	return Buffer.from(value.toString(16).padStart(32, '0'), 'hex');
}

/**
 * A text that stands for a provider's id in the log. The same id always gives the same text, but the provider does not
 * accept the text as an id.
 */
export function standIn(providerId: string): string {
	return createHash('sha256').update(providerId).digest('base64url').slice(0, 10);
}

/**
 * An id that is always the same for the same parts, and that sorts by `epochMs` like any other id. Such ids are for records
 * that must not exist twice. For example, a delivery's id is derived from its event and its endpoint.
 */
export function derivedId(epochMs: number, ...parts: readonly string[]): string {
	const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
	let text = idTimePrefix(epochMs);
	for (let i = 0; i < 16; i += 1) text += ALPHABET.charAt((digest[i] ?? 0) % 32);
	return text;
}
