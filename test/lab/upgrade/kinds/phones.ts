import * as z from 'zod/mini';
import { eventually, fromConsole } from '../../../support/stack/api.ts';
import type { Site } from '../around/site.ts';

const Ring = z.object({ what: z.string(), call_id: z.string(), leg_id: z.string(), person: z.string() });

const repeated = (names: readonly string[]): readonly string[] => [
	...new Set(names.filter((name, n) => names.indexOf(name) < n)),
];

/** What the phones say of all stacks so far: no phone was dialled twice for a call, and no callback address was refused. */
export async function askPhones({ stack }: Pick<Site, 'stack'>) {
	const log = await eventually('the phones answer', () => fromConsole(stack(), '/phones').catch(() => null));
	const rings = z.array(Ring).parse(log);
	const dialed = rings.filter(({ what }) => what === 'dialed');
	const refused = rings.filter(({ what }) => what === 'callback_refused');
	const faults = [
		...repeated(dialed.map(({ leg_id }) => leg_id)).map((leg_id) => `leg ${leg_id} was dialled twice`),
		...repeated(dialed.map(({ call_id, person }) => `${call_id} ${person}`)).map(
			(name) => `a phone was dialled twice for call ${name}`,
		),
		...new Set(refused.map(({ leg_id, call_id }) => `a callback to leg ${leg_id} of call ${call_id} was refused`)),
	];
	return { dials: dialed.length, faults };
}
