import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { causes, never, permitted } from '../../../build/call-states.ts';
import { playOut } from '../../support/calls/call-run.ts';
import { faultless, faulty } from '../../support/calls/call-scenarios.ts';

describe('docs/call-states.md', () => {
	it('has words for every transition that is permitted, and for no other', () => {
		expect(
			permitted()
				.map(([from, to]) => `${from} -> ${to}`)
				.sort(),
		).toEqual(Object.keys(causes).sort());
	});

	it('contains every transition that calls make, for all failures', () => {
		const seen = new Set<string>();
		fc.assert(
			fc.property(fc.oneof(faultless, faulty), (scenario) => {
				for (const { before, decision } of playOut(scenario).steps) {
					if (decision.call.status !== before.status) seen.add(`${before.status} -> ${decision.call.status}`);
				}
			}),
			{ numRuns: 600 },
		);
		expect([...seen].filter((transition) => !(transition in causes))).toEqual([]);
		expect(never.filter((transition) => seen.has(transition))).toEqual([]);
		expect(seen.size).toBeGreaterThanOrEqual(5);
	});
});
