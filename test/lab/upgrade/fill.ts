import { setTimeout as wait } from 'node:timers/promises';
import type { Packages } from './around/packages.ts';
import type { Shop, Site } from './around/site.ts';
import { api } from './kinds/api.ts';
import { archive } from './kinds/archive.ts';
import { calls } from './kinds/calls.ts';
import { clientsOf } from './kinds/clients.ts';
import { deliveries } from './kinds/deliveries.ts';
import { desk } from './kinds/desk.ts';
import { type Held, holds, type Kind, type NewKind } from './kinds/held.ts';
import { links } from './kinds/links.ts';
import { notices } from './kinds/notices.ts';
import { people } from './kinds/people.ts';
import { widget } from './kinds/widget.ts';

/** Everything that the command checks, by kind. Pages need a browser, and clients the packages of the release. */
const kinds: readonly NewKind[] = [calls, deliveries, links, notices, api, desk, people, archive];
const kindsFor = (site: Site, packages: Packages | null): readonly NewKind[] => [
	...kinds,
	...(site.pages === null ? [] : [widget]),
	...(packages === null ? [] : [clientsOf(packages)]),
];

/** What a stack left behind, by kind. */
export type Filled = readonly { readonly kind: string; readonly held: readonly Held[] }[];
/** What was in progress on the stack that filled it, beside the requests that were under way. */
export type Busy = { readonly calls: number; readonly deliveries: number };

/** So long after the last requests the stack is to be stopped: some have been answered by then, others not. */
const AT_WORK_MS = 150;

/**
 * Fills the running stack with something of each kind, by its own API, desk, commands, phones and receivers. It returns while
 * the last requests are at work: stop the stack at once. The checks work on any stack on the same state directory.
 */
export async function fill(
	site: Site,
	packages: Packages | null = null,
): Promise<{ readonly filled: Filled; readonly busy: Busy }> {
	const [shop, quiet] = await Promise.all([
		site.openShop(['Ida Wells:+13125550101', 'Jonas Berg:+14155550101']),
		site.openShop(['Nina Hart:+12125550103', 'Omar Diaz:+12135550103'], ['--ring-strategy', 'sequential']),
	]);
	const all = kindsFor(site, packages).map((kind) => kind(site, shop, quiet));
	const early = await Promise.all(all.map(({ early }) => made(early)));
	const late = await Promise.all(all.map(({ late }) => made(late)));
	const busy = await busyOf(site, [shop, quiet]);
	const last = all.map(({ last = () => [] }) => last());
	await wait(AT_WORK_MS);
	const filled = all.map(({ name }, n) => {
		return { kind: name, held: [early[n], late[n], last[n]].flatMap((held) => held ?? []) };
	});
	return { filled, busy };
}

async function busyOf(site: Site, shops: readonly Shop[]): Promise<Busy> {
	const count = async (path: string): Promise<number> => {
		const lists = await Promise.all(shops.map((shop) => site.asServer(shop, path)));
		return lists.reduce((sum, { json }) => sum + json.data.length, 0);
	};
	const [calls, deliveries] = await Promise.all([
		count('/calls?status=requested,ringing,connected&limit=100'),
		count('/webhook-deliveries?status=pending&limit=100'),
	]);
	return { calls, deliveries };
}

/** What a kind brings about. If the stack refuses something, that is a fault like those of the checks. */
const made = (make: Kind['early'] = async () => []): Promise<readonly Held[]> =>
	make().catch((error: unknown) => [holds('what it has to have first', () => Promise.reject(error))]);
