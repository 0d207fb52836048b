import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { derivedId, ID_PATTERN, idTime, idTimePrefix, lowestIdAt } from '../../../shared/domain/kernel/id.ts';
import { ipv6Groups } from '../../../shared/domain/kernel/ip-address.ts';
import { callOwner, leadOwner, subjectOf } from '../../../shared/domain/kernel/number-owner.ts';
import { watchedFrom } from '../../../shared/domain/kernel/wake-up.ts';

/** The instants that the 48 bits of a ULID hold. */
const instant = fc.integer({ min: 0, max: 2 ** 48 - 1 });

describe('an id', () => {
	it('has the form of a ULID, and says when it was made', () =>
		fc.assert(
			fc.property(instant, fc.string(), (at_ms, part) => {
				const id = derivedId(at_ms, part);
				expect(id).toMatch(ID_PATTERN);
				expect(idTime(id)).toBe(at_ms);
			}),
		));

	it('is not below the lowest of its millisecond, which is itself an id', () =>
		fc.assert(
			fc.property(instant, fc.string(), (at_ms, part) => {
				expect(lowestIdAt(at_ms)).toMatch(ID_PATTERN);
				expect(lowestIdAt(at_ms) <= derivedId(at_ms, part)).toBe(true);
			}),
		));

	it('begins at the edge of the 48 bits for an instant outside of them', () => {
		expect([idTimePrefix(-1), idTimePrefix(2 ** 48)]).toEqual(['0000000000', '7ZZZZZZZZZ']);
	});
});

it.each([
	['::1', ['0', '0', '0', '0', '0', '0', '0', '1']],
	['1::', ['1', '0', '0', '0', '0', '0', '0', '0']],
	['2001:DB8::00ff:1', ['2001', 'db8', '0', '0', '0', '0', 'ff', '1']],
	['::ffff:192.0.2.1', ['0', '0', '0', '0', '0', 'ffff', 'c000', '201']],
	['192.0.2.1', null],
	['1::2::3', null],
	['', null],
])('the IPv6 address %p has the groups %p', (address, groups) => {
	expect(ipv6Groups(address)).toEqual(groups);
});

it('the owner of a number names the call or the lead', () => {
	expect(subjectOf(callOwner('c'))).toEqual({ kind: 'call', id: 'c' });
	expect(subjectOf(leadOwner('l'))).toEqual({ kind: 'lead', id: 'l' });
});

it('the sweep checks work a minute after its time where a message times it, and at its time if no message can', () => {
	const after = (delay_ms: number) => watchedFrom(1_000_000 + delay_ms, 1_000_000);
	expect(after(900_000)).toBe(new Date(1_960_000).toISOString());
	expect(after(900_001)).toBe(new Date(1_900_001).toISOString());
});
