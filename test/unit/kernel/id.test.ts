import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { derivedId, ID_PATTERN, idAfter, idTimePrefix, lowestIdAt } from '../../../shared/domain/kernel/id.ts';

/** Any time that the 48 bits of a ULID can hold. */
const instant = fc.integer({ min: 0, max: 2 ** 48 - 1 });

describe('an id', () => {
	it('has the form of a ULID, and begins with the time of its creation', () =>
		fc.assert(
			fc.property(instant, fc.string(), (atMs, part) => {
				const id = derivedId(atMs, part);
				expect(id).toMatch(ID_PATTERN);
				expect(id.slice(0, 10)).toBe(idTimePrefix(atMs));
			}),
		));

	it('is not below the lowest id of its millisecond, which is itself an id', () =>
		fc.assert(
			fc.property(instant, fc.string(), (atMs, part) => {
				expect(lowestIdAt(atMs)).toMatch(ID_PATTERN);
				expect(lowestIdAt(atMs) <= derivedId(atMs, part)).toBe(true);
			}),
		));

	it('begins with the nearest time that 48 bits can hold, for a time that they cannot hold', () => {
		expect([idTimePrefix(-1), idTimePrefix(2 ** 48)]).toEqual(['0000000000', '7ZZZZZZZZZ']);
	});
});

it('no id lies between an id and the next one', () => {
	const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
	const id = fc.string({ unit: fc.constantFrom(...base32, 'Z', 'Z'), minLength: 25, maxLength: 25 });
	fc.assert(
		fc.property(fc.constantFrom(...'01234567'), id, id, (first, rest, other) => {
			const mine = first + rest;
			const next = idAfter(first + rest);
			const any = first + other;
			expect(next > mine).toBe(true);
			expect(any > mine && any < next).toBe(false);
		}),
	);
	expect(idAfter('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBe('01ARZ3NDEKTSV4RRFFQ69G5FAW');
	expect(idAfter('01ARZ3NDEKTSV4RRFFQ69G5FZZ')).toBe('01ARZ3NDEKTSV4RRFFQ69G5G00');
});
