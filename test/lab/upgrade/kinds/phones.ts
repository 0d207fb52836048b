import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { fromConsole } from '../../../support/stack/api.ts';
import type { Site } from '../site.ts';

const Ring = z.object({ what: z.string(), call_id: z.string(), leg_id: z.string(), person: z.string() });

/** No leg was dialled twice, and no phone for the same call. Returns the number of dials. */
export async function noPhoneRangTwice({ stack }: Pick<Site, 'stack'>): Promise<number> {
	const rings = z.array(Ring).parse(await fromConsole(stack(), '/phones'));
	const dialed = rings.filter(({ what }) => what === 'dialed');
	const twice = (names: readonly string[]): readonly string[] => names.filter((name, n) => names.indexOf(name) < n);
	assert.deepEqual(twice(dialed.map(({ leg_id }) => leg_id)), [], 'these legs were dialled twice');
	assert.deepEqual(
		twice(dialed.map(({ call_id, person }) => `${call_id} ${person}`)),
		[],
		'a phone was dialled twice for these calls',
	);
	return dialed.length;
}
