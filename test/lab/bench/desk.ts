import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stack } from '../../../local/stack.ts';
import { readOperatorEnv } from '../../../ops/connect.ts';
import { MOST_DESK_PEOPLE } from '../../../shared/domain/workspaces/desk-person.ts';
import { MOST_MEMBERS } from '../../../shared/domain/workspaces/workspace.ts';
import { fillTable } from '../../support/aws/fill-table.ts';
import { deployedBytes } from '../../support/deployed-bytes.ts';
import { fictionalNumber } from '../../support/front-desk.ts';
import { deskForms, deskShops } from '../../support/stack/desk-shops.ts';
import { testStack } from '../../support/stack/stack.ts';
import { unescaped } from '../../support/unescaped.ts';
import { busyShop } from './busy-shop.ts';
import { median, ms, type Row, row, type Section, type Size } from './row.ts';

const sizes = {
	full: { calls: 300_000, warm_up: 5, looks: 20 },
	quick: { calls: 1000, warm_up: 1, looks: 2 },
} as const satisfies Record<Size, object>;
const GOAL = '100 ms, 60,000 bytes';
const number = (value: number): string => value.toLocaleString('en');

/**
 * A page, by its path below the desk's address. `link`: the first link of the page `on` that begins like this leads to the
 * page.
 */
type Page = { readonly what: string } & ({ readonly path: string } | { readonly on: string; readonly link: string });

const pages: readonly Page[] = [
	{ what: 'Today', path: 'pages/today' },
	{ what: 'Today, older missed calls', on: 'Today', link: 'today?missed=' },
	{ what: 'Calls', path: 'pages/calls' },
	{ what: 'Calls, older', on: 'Calls', link: 'calls?before=' },
	{ what: 'Calls, a name that no one has', path: 'pages/calls?name=nobody' },
	{ what: 'Calls, digits that no number has', path: 'pages/calls?name=99' },
	{ what: 'Calls, canceled (none was)', path: 'pages/calls?end=canceled' },
	{ what: 'Calls, missed', path: 'pages/calls?end=missed' },
	{ what: 'a call', on: 'Calls', link: 'calls?id=' },
	{ what: 'a missed call', on: 'Calls, missed', link: 'calls?id=' },
	{ what: 'a callback request', on: 'Today', link: 'calls?lead=' },
	{ what: 'Statistics, 7 days', path: 'pages/numbers' },
	{ what: 'Statistics, 30 days', path: 'pages/numbers?days=30' },
	{ what: 'Opening hours', path: 'pages/hours' },
	{ what: 'Team', path: 'pages/team' },
	{ what: 'Team, a member', path: 'pages/team?edit=m1' },
	{ what: 'Website', path: 'pages/site' },
	{ what: 'Website, Look', path: 'pages/site?look' },
	{ what: 'Website, its preview', path: 'pages/preview' },
	{ what: 'Website, Consent', path: 'pages/site?consent' },
	{ what: 'Notifications', path: 'pages/notices' },
	{ what: 'People', path: 'pages/people' },
	{ what: 'Activity', path: 'pages/log' },
	{ what: 'Activity, older', on: 'Activity', link: 'log?before=' },
	{ what: 'Your desks', path: 'pages/desks' },
	{ what: 'Webhooks', path: 'developers/webhooks' },
	{ what: 'an endpoint that fails', on: 'a delivery that failed', link: 'webhooks?id=' },
	{ what: 'Deliveries', path: 'developers/deliveries' },
	{ what: 'Deliveries, older', on: 'Deliveries', link: 'deliveries?before=' },
	{ what: 'Deliveries that wait (none does)', path: 'developers/deliveries?state=pending' },
	{ what: 'Deliveries of an event that has none', path: 'developers/deliveries?event=callback.requested' },
	{ what: 'a delivery', on: 'Deliveries, older', link: 'deliveries?id=' },
	{ what: 'a delivery that failed', on: 'Deliveries', link: 'deliveries?id=' },
	{ what: 'API keys', path: 'developers/keys' },
	{ what: 'sign-in', path: 'sign-in' },
];

/**
 * Measures every page of the desk over HTTP on a stack of its own, for the owner of a shop with 300,000 calls in 30 days, 20
 * members and 20 people. `--calls 10000`: a smaller shop, which is filled sooner.
 */
export const desk: Section = {
	name: 'desk',
	async run(size) {
		const { calls, warm_up, looks } = { ...sizes[size], ...asked() };
		const stack = await testStack({ speed: 1 });
		try {
			const { found, load } = await busyDesk(stack, calls);
			const loaded: (readonly { readonly took_ms: number; readonly bytes: number }[])[] = [];
			// The pages take turns, so that other load on the machine affects all of them alike.
			for (let round = 0; round < warm_up + looks; round += 1) {
				const times = [];
				for (const { address } of found) times.push(await load(address));
				if (round >= warm_up) loaded.push(times);
			}
			return found.map(({ what }, nth): Row => {
				const own = loaded.flatMap((round) => round[nth] ?? []);
				const times = own.map(({ took_ms }) => took_ms);
				const bytes = Math.max(...own.map((each) => each.bytes));
				const range = `${ms(Math.min(...times))} to ${ms(Math.max(...times))}`;
				const measured = `${ms(median(times))} (${range}), ${number(bytes)} bytes`;
				return row(`desk, ${number(calls)} calls: ${what}`, GOAL, measured);
			});
		} finally {
			await stack.stop();
		}
	},
};

/** The number of calls that the command line asks for, if it asks for one. */
function asked(): { readonly calls?: number } {
	const at = process.argv.indexOf('--calls');
	if (at === -1) return {};
	const calls = Number(process.argv[at + 1]);
	if (!Number.isInteger(calls) || calls < sizes.quick.calls)
		throw new Error(`--calls: an integer of at least ${number(sizes.quick.calls)}`);
	return { calls };
}

/** A busy shop whose owner has signed in: the addresses of its `pages`, and a function that loads one of them. */
async function busyDesk(stack: Stack, calls: number) {
	const shops = deskShops(() => stack);
	const { desk: addressOf, send, signIn } = deskForms(() => stack, shops);
	const team = Array.from({ length: MOST_MEMBERS }, (_, nth) => `Member ${nth + 1}:${fictionalNumber(nth)}`);
	const shop = await shops.newShop('US', { team });
	for (let nth = 2; nth < MOST_DESK_PEOPLE; nth += 1)
		await shops.invite(shop.id, `person-${nth}@shop.example`, 'member');
	const { cookie } = await signIn(shop.owner, shop.id);
	const env = readOperatorEnv(JSON.parse(readFileSync(join(stack.state_dir, 'operator.json'), 'utf8')));
	const beganMs = performance.now();
	await fillTable(env, busyShop({ workspace_id: shop.id, now_ms: Date.now(), calls }));
	console.log(
		`the shop with ${number(calls)} calls was filled in ${((performance.now() - beganMs) / 1000).toFixed(0)} s`,
	);

	const htmlOf = async (address: string): Promise<string> => {
		const { status, html } = await send(address, { cookie });
		if (status !== 200) throw new Error(`${address} answered ${status}`);
		return html;
	};
	async function addressFor(page: Page): Promise<string | null> {
		if ('path' in page) return addressOf(page.path);
		const on = pages.find(({ what }) => what === page.on);
		const from = on === undefined ? null : await addressFor(on);
		if (from === null) return null;
		const links = [...(await htmlOf(from)).matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => unescaped(href));
		const link = links.find((href) => href.startsWith(page.link));
		return link === undefined ? null : new URL(link, from).href;
	}
	const found: { readonly what: string; readonly address: string }[] = [];
	for (const page of pages) {
		const address = await addressFor(page);
		if (address === null) console.log(`left out, because the shop is too small: ${page.what}`);
		else found.push({ what: page.what, address });
	}
	return {
		found,
		async load(address: string) {
			const startedMs = performance.now();
			const html = await htmlOf(address);
			return { took_ms: performance.now() - startedMs, bytes: deployedBytes(html) };
		},
	};
}
