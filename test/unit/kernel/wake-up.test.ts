import { expect, it } from '@jest/globals';
import { watchedFrom } from '../../../shared/domain/kernel/wake-up.ts';

it('the sweep checks work one minute after its due time if a message is sent for it, and at its due time if no message can wait so long', () => {
	const after = (delayMs: number) => watchedFrom(1_000_000 + delayMs, 1_000_000);
	expect(after(900_000)).toBe(new Date(1_960_000).toISOString());
	expect(after(900_001)).toBe(new Date(1_900_001).toISOString());
});
