import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_LIMITS } from '../../shared/domain/access/limits.ts';
import { widgetConfig } from '../../shared/use-cases/widget/widget-config.ts';
import { fictionalNumber, frontDesk } from '../support/front-desk.ts';
import { SEED } from '../support/jest/seed.ts';
import { memoryStore } from '../support/memory-store.ts';

const VICTIM = '+12025550199';
const PAGE = { guides: { guideTo: () => null }, caller_number: null, can_dial: true };

const address = fc.oneof(
	fc.integer({ min: 1, max: 254 }).map((host) => `198.51.100.${host}`),
	fc.integer({ min: 0, max: 0xffff }).map((network) => `2001:db8:7:${network.toString(16)}::1`),
	fc.integer({ min: 0, max: 0xffff }).map((network) => `2001:db8:${network.toString(16)}::1`),
);
const request = fc.record({ address, ask: fc.constantFrom('requestCall', 'captureLead') });

it('a number that many addresses request does not close the widget for other visitors', async () => {
	const property = fc.asyncProperty(fc.array(request, { minLength: 60, maxLength: 120 }), async (requests) => {
		const { deps, ...desk } = frontDesk(memoryStore());
		const shop = desk.workspace(DEFAULT_LIMITS);
		let refused = 0;
		for (const { ask, address: from } of requests) {
			if ('refused' in (await desk[ask](shop, VICTIM, from))) refused += 1;
			const { config } = await widgetConfig(shop, 'en', { ...deps, ...PAGE });
			expect(config).toMatchObject({ open: true, unavailable: null });
		}
		// If refused requests counted against the shop's limit for a window, these refusals would have used it up.
		expect(refused).toBeGreaterThan(DEFAULT_LIMITS.requests_per_workspace_per_window);
		expect(await desk.requestCall(shop, fictionalNumber(1), '203.0.113.9')).toHaveProperty('call');
		expect(await desk.captureLead(shop, fictionalNumber(2), '203.0.113.9')).toHaveProperty('lead');
	});
	await fc.assert(property, { numRuns: 10, seed: SEED });
});
