import * as z from 'zod/mini';
import { eventually, fromConsole } from '../../../support/stack/api.ts';
import type { Site } from '../around/site.ts';

const Ring = z.object({
	at: z.string(),
	what: z.string(),
	call_id: z.string(),
	leg_id: z.string(),
	person: z.string(),
});

const repeated = (names: readonly string[]): readonly string[] => [
	...new Set(names.filter((name, n) => names.indexOf(name) < n)),
];

async function ringsOf({ stack }: Pick<Site, 'stack'>): Promise<readonly z.infer<typeof Ring>[]> {
	const log = await eventually('the phones answer', () => fromConsole(stack(), '/phones').catch(() => null));
	return z.array(Ring).parse(log);
}

/**
 * A text that says when the phones of a call were dialled for the first time. It tells why a call was set up too late: something
 * was lost, or the machine was busy.
 */
export async function firstDial(site: Pick<Site, 'stack'>, call: { readonly id: string; readonly created_at: string }) {
	const first = (await ringsOf(site)).find(({ what, call_id }) => what === 'dialed' && call_id === call.id);
	if (first === undefined) return 'no phone was dialled';
	const seconds = Math.round((Date.parse(first.at) - Date.parse(call.created_at)) / 1000);
	return `its first phone was dialled ${seconds} s after the request, on a machine that is busy with other work`;
}

/** What the phones report about all stacks so far: no phone was dialled twice for a call, and no callback URL was refused. */
export async function askPhones(site: Pick<Site, 'stack'>) {
	const rings = await ringsOf(site);
	const dialed = rings.filter(({ what }) => what === 'dialed');
	const refused = rings.filter(({ what }) => what === 'callback_refused');
	const faults = [
		...repeated(dialed.map(({ leg_id }) => leg_id)).map((legId) => `leg ${legId} was dialled twice`),
		...repeated(dialed.map(({ call_id, person }) => `${call_id} ${person}`)).map(
			(name) => `a phone was dialled twice for call ${name}`,
		),
		...new Set(refused.map(({ leg_id, call_id }) => `a callback to leg ${leg_id} of call ${call_id} was refused`)),
	];
	return { dials: dialed.length, faults };
}
