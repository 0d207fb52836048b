import { expect, it } from '@jest/globals';
import { watchedFrom } from '../../../shared/domain/kernel/wake-up.ts';

it('the sweep checks work one minute after its due time if a message can wait in a queue until that time, and otherwise at its due time', () => {
	const after = (delayMs: number) => watchedFrom(1_000_000 + delayMs, 1_000_000);
	expect(after(900_000)).toBe(new Date(1_960_000).toISOString());
	expect(after(900_001)).toBe(new Date(1_900_001).toISOString());
});
