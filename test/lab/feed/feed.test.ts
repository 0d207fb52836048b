import { expect, it } from '@jest/globals';
import { SETTLING_SECONDS } from '../../../shared/domain/webhooks/event-feed.ts';
import { isWhole, playFeed } from './simulation.ts';

// `npm run lab -- feed` plays 10,000 seeds.

it('the feed has exactly the committed events, each once and in order, for all clocks, delays of the index and pauses', async () => {
	let events = 0;
	for (let seed = 1; seed <= 300; seed += 1) {
		for (const { expected, got } of await playFeed(seed)) {
			expect({ seed, got }).toEqual({ seed, got: expected });
			events += got.length;
		}
	}
	expect(events).toBeGreaterThan(10_000);
});

it(`the simulation finds faults in a feed that ends 2 s after its proper end, which is ${SETTLING_SECONDS} s ago`, async () => {
	let broken = 0;
	for (let seed = 1; seed <= 300; seed += 1)
		broken += (await playFeed(seed, 2000)).filter((one) => !isWhole(one)).length;
	expect(broken).toBeGreaterThan(0);
});
