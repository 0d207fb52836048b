import { expect, it } from '@jest/globals';
import { builtInsOf, worksBesideEach } from '../support/browser/built-ins.ts';
import { suiteStage } from '../support/browser/stage.ts';

const stage = suiteStage();

// Replaces one built-in after another. With each, a visitor places a call and reloads the page: about 200 visits.

it('for each built-in that a page replaces, a visitor gets a call, or the console says what the widget lacks', async () => {
	const paths = await builtInsOf(stage);
	expect(await worksBesideEach(stage, paths)).toBeGreaterThan(paths.length / 2);
});
