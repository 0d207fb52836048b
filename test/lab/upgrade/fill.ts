import { setTimeout as wait } from 'node:timers/promises';
import type { Packages } from './around/packages.ts';
import type { Shop, Site } from './around/site.ts';
import { api } from './kinds/api.ts';
import { archive } from './kinds/archive.ts';
import { calls } from './kinds/calls.ts';
import { clientsOf } from './kinds/clients.ts';
import { deliveries } from './kinds/deliveries.ts';
import { desk } from './kinds/desk.ts';
import { extremes } from './kinds/extremes.ts';
import { feed } from './kinds/feed.ts';
import { type Held, holds, type Kind, type NewKind, type Turn } from './kinds/held.ts';
import { links } from './kinds/links.ts';
import { listening } from './kinds/listen.ts';
import { notices } from './kinds/notices.ts';
import { people } from './kinds/people.ts';
import { widget } from './kinds/widget.ts';

/** All kinds of things that the command checks. `widget` needs a browser, and `clientsOf` needs the packages of the release. */
const kinds: readonly NewKind[] = [
	calls,
	deliveries,
	links,
	notices,
	api,
	feed,
	desk,
	people,
	extremes,
	archive,
	listening,
];
const kindsFor = (site: Site, packages: Packages | null): readonly NewKind[] => [
	...kinds,
	...(site.pages === null ? [] : [widget]),
	...(packages === null ? [] : [clientsOf(packages)]),
];

/** What a stack left behind, by kind. */
export type Filled = readonly { readonly kind: string; readonly held: readonly Held[] }[];
/** What was in progress in the filled stack when it stopped, in addition to the open requests. */
export type Busy = { readonly calls: number; readonly deliveries: number };
/** The result of filling a stack. `longest`: which kinds took the most time, for the report. */
export type Fill = { readonly filled: Filled; readonly busy: Busy; readonly longest: string };

/** How long after the last requests the stack is stopped. By then, it has answered only some of these requests. */
const AT_WORK_MS = 150;

/**
 * Fills the running stack with something of each kind, through its own API, desk, commands, phones and receivers. This function
 * returns while the last requests are in progress, so stop the stack right after it. The checks work on any stack with the same
 * state directory.
 */
export async function fill(
	site: Site,
	packages: Packages | null = null,
	turn: Turn = { nth: 0, isLast: false },
): Promise<Fill> {
	const watch = watchOf();
	const [shop, quiet] = await Promise.all([
		site.openShop(['Ida Wells:+13125550101', 'Jonas Berg:+14155550101']),
		site.openShop(['Nina Hart:+12125550103', 'Omar Diaz:+12135550103'], ['--ring-strategy', 'sequential']),
	]);
	watch.note('shops');
	const all = kindsFor(site, packages).map((kind) => kind(site, shop, quiet, turn));
	const early = await Promise.all(all.map(({ name, early }) => watch.over(name, made(early))));
	watch.note('early');
	const late = await Promise.all(all.map(({ name, late }) => watch.over(name, made(late))));
	watch.note('late');
	const busy = await busyOf(site, [shop, quiet]);
	const last = all.map(({ last = () => [] }) => last());
	await wait(AT_WORK_MS);
	const filled = all.map(({ name }, n) => {
		return { kind: name, held: [early[n], late[n], last[n]].flatMap((held) => held ?? []) };
	});
	return { filled, busy, longest: watch.all() };
}

/** Measures how long each part of the filling took, and which kind ended last in that part. */
function watchOf() {
	const parts: string[] = [];
	let sinceMs = performance.now();
	let last = '';
	return {
		async over<T>(kind: string, work: Promise<T>): Promise<T> {
			const done = await work;
			last = `, ${kind} last`;
			return done;
		},
		note(part: string): void {
			parts.push(`${part} ${((performance.now() - sinceMs) / 1000).toFixed(0)} s${last}`);
			sinceMs = performance.now();
			last = '';
		},
		all: (): string => parts.join('; '),
	};
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

/** Makes the things of one kind. If the stack refuses something, that counts as a failed check. */
const made = (make: Kind['early'] = async () => []): Promise<readonly Held[]> =>
	make().catch((error: unknown) => [holds('what it needs first', () => Promise.reject(error))]);
