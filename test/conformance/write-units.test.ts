import { expect, it } from '@jest/globals';
import { unitsOfACall } from '../support/calls/metered-call.ts';

it('a call writes at most 48 units without webhook endpoints, and 80 with one', async () => {
	const { without, withOne } = await unitsOfACall();
	expect(without.written).toBeLessThanOrEqual(48);
	expect(withOne.written).toBeLessThanOrEqual(80);
	// Metered at all.
	expect(without.written).toBeGreaterThan(20);
	expect(withOne.written).toBeGreaterThan(without.written);
});
