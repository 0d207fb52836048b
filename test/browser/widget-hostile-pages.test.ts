import { describe, expect, it } from '@jest/globals';
import { beside, builtInsOf, worksBesideEach } from '../support/browser/built-ins.ts';
import { suiteStage } from '../support/browser/stage.ts';

const stage = suiteStage();

/** These tests replace one of every 24 built-ins. widget-each-built-in.test.ts replaces every one. */
const ONE_IN = 24;

describe('on a page that replaces built-in functions that the widget uses', () => {
	it('one at a time, launcher, panel, call and reload work, or one line in the console says what the widget lacks', async () => {
		const paths = await builtInsOf(stage);
		const some = paths.filter((_, n) => n % ONE_IN === 0);
		expect(await worksBesideEach(stage, some)).toBeGreaterThan(0);
	});

	it('all at once, one line in the console says what the widget lacks', async () => {
		expect(await beside(stage, await builtInsOf(stage))).toEqual([
			expect.stringMatching(/keeps the widget from working: TypeError: .* is replaced by the page/),
		]);
	});
});
