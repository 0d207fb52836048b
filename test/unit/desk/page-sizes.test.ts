import { describe, expect, it } from '@jest/globals';
import { permissions } from '../../../shared/domain/access/permission.ts';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import { newLeg } from '../../../shared/domain/calls/leg.ts';
import { callTally } from '../../../shared/domain/calls/tally.ts';
import { HEALTHY } from '../../../shared/domain/webhooks/circuit-breaker.ts';
import { eventKinds } from '../../../shared/domain/webhooks/event.ts';
import { MOST_DESK_PEOPLE } from '../../../shared/domain/workspaces/desk-person.ts';
import { type Language, languages } from '../../../shared/domain/workspaces/language.ts';
import { MOST_MEMBERS, type Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import type { Write } from '../../../shared/ports/store.ts';
import { sourceCodes } from '../../../shared/use-cases/calls/source-codes.ts';
import { deployedBytes } from '../../support/deployed-bytes.ts';
import { samples } from '../../support/sample-records.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { formsIn } from '../../support/stack/forms-in-page.ts';
import { subscribed } from '../../support/webhooks/deliveries.ts';
import { always, put } from '../../support/writes.ts';

// Tests each page of the desk in a shop in which everything is as long, and every list as full, as it may be.

const { newShop, signIn, send, post, desk, store, deps, now } = deskInMemory();
const MOST_BYTES = 60_000;
const MOST_ENDPOINTS = 20;

/** Names of 100 characters in Latin and in Arabic letters. An Arabic letter takes two bytes. */
const NAMES = { en: 'Maximiliane von Hohenlohe-Langenburg zu ', ar: 'عبد الرحمن بن محمد ' } as const;
const longName = (language: keyof typeof NAMES, n: number): string => `${n} ${NAMES[language].repeat(6)}`.slice(0, 100);

async function fullShop(language: keyof typeof NAMES) {
	const shop = await newShop('US');
	const before = await store.get('workspace', { id: shop.id });
	if (before === null) throw new Error('no shop');
	const name = (n: number) => longName(language, n);
	const addressOf = (n: number) => `person-${n}-${'a'.repeat(40)}@${'long-'.repeat(8)}domain.example`;
	const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
	const [member] = before.team;
	if (member === undefined) throw new Error('no member');
	const people = many(MOST_DESK_PEOPLE - 1, (n) => ({
		address: addressOf(n),
		role: 'developer' as const,
		name: longName(language, n).slice(0, 40),
		sessions_from: '2026-01-01T00:00:00.000Z',
		...(n % 2 === 0 && { invited_at: '2026-01-01T00:00:00.000Z' }),
	}));
	const text = `${NAMES[language]} `.repeat(60).slice(0, 2000);
	const workspace: Workspace = {
		...before,
		version: before.version + 1,
		language,
		name: name(0),
		origins: many(20, (n) => `https://${'long-'.repeat(10)}${n}.shop.example`),
		ring_strategy: 'sequential',
		team: many(MOST_MEMBERS, (n) => ({ ...member, id: `m${n}`, name: name(n) })),
		desk: [...before.desk.filter(({ address }) => address === shop.owner), ...people],
		consent_texts: Object.fromEntries(languages.map((each: Language) => [each, text])),
		team_email_asked: { address: addressOf(0), by: addressOf(1), asked_at: new Date(now.ms).toISOString() } as never,
		business_hours: {
			weekly: many(21, (n) => ({
				weekday: (n % 7) as 0,
				from_minute: 60 + 300 * Math.floor(n / 7),
				to_minute: 120 + 300 * Math.floor(n / 7),
			})),
			holidays: many(300, (n) => new Date(now.ms + n * 86_400_000).toISOString().slice(0, 10)),
		},
	};
	const endpoints = many(MOST_ENDPOINTS, (n) =>
		subscribed(`${n}`, now.ms + n, {
			workspace_id: shop.id,
			url: `https://receiver-${n}.example/${'p/'.repeat(900)}`,
			description: name(n).repeat(2),
			events: eventKinds,
			made_by: addressOf(n % 19),
			header_names: many(5, (nth) => `x-${'long-'.repeat(15)}${nth}`),
			health: { ...HEALTHY, failing_since: new Date(now.ms).toISOString() },
		}),
	);
	const keys = many(20, (n) => {
		const about = { id: deps.ids.next(), workspace_id: shop.id, name: name(n), made_by: addressOf(n % 19) };
		return put('api_key', { ...samples.api_key, ...about, permissions: [...permissions] });
	});
	const log = many(20, (n) =>
		put('desk_change', {
			...samples.desk_change,
			id: deps.ids.next(),
			workspace_id: shop.id,
			address: addressOf(n % 19),
			change: 'member_added',
			about: name(n),
			created_at: new Date(now.ms).toISOString(),
		}),
	);
	const calls = many(30, (n) => callOf(n, shop, workspace));
	const leads = many(10, (n) => {
		const id = deps.ids.next(now.ms - 7_200_000 + n);
		const about = { id, workspace_id: shop.id, name: name(n), note: text.slice(0, 500), number_hash: `lead ${id}` };
		return put('callback_lead', { ...samples.callback_lead, ...about, status: 'pending', source_url: pageOf(n) });
	});
	const tallies = await Promise.all(calls.map(async (call) => callTally(call, now.ms, await sourceCodes(call, store))));
	const all: readonly Write[] = [
		...endpoints.map((item) => put('webhook_endpoint', item)),
		...keys,
		...log,
		...calls.map((item) => put('call', item, always)),
		...leads,
		...tallies,
	];
	await store.commit([put('workspace', workspace, always)]);
	for (const write of all) await store.commit([write]);
	const ids = { call: calls.at(-1)?.id ?? '', endpoint: endpoints[0]?.id ?? '' };
	return { ...shop, ...ids, ida: await signIn(shop.owner, shop.id) };
}

/** The longest address of a page that the widget's API accepts. */
const pageOf = (n: number): string => `https://shop.example/${n}/${'long-'.repeat(500)}`.slice(0, 2048);

/** A missed call that rang 20 phones, each at different times. */
function callOf(n: number, { id: workspace_id }: { readonly id: string }, workspace: Workspace): CallRecord {
	const atMs = now.ms - 3_600_000 + n * 1000;
	const at = (seconds: number) => new Date(atMs + seconds * 1000).toISOString();
	const id = deps.ids.next(atMs);
	const legs = workspace.team.map(({ id: of, name }, nth) => ({
		...newLeg(id, 'agent', of, atMs),
		member_name: name ?? '',
		rank: 'ended' as const,
		dialed_at: at(1 + nth),
		ringing_at: at(2 + nth * 1.3),
		answered_at: at(8 + nth * 1.7),
		accepted_at: at(9 + nth * 1.9),
		ended_at: at(40 + nth),
		cause: 'hung_up' as const,
	}));
	const end = { status: 'failed', failure_reason: 'no_agent_answer', due_at: null, timer_at: null } as const;
	return {
		...samples.call,
		...end,
		id,
		workspace_id,
		legs,
		visitor_name: workspace.team[n % MOST_MEMBERS]?.name ?? null,
		number_hash: `${workspace_id} ${n}`,
		source_url: pageOf(n),
		reference: 'r'.repeat(64),
		created_at: at(0),
		completed_at: at(60),
		winner_leg_id: legs[0]?.id ?? null,
	};
}

describe.each(['en', 'ar'] as const)('a full shop in %s', (language) => {
	it('has no page of more than 60,000 bytes', async () => {
		const { ida, call, endpoint } = await fullShop(language);
		const names = [
			...['today', 'calls', `calls?id=${call}`, 'numbers', 'numbers?days=30', 'hours', 'team'],
			...['site', 'site?look', 'site?consent=ar', 'notices', 'people', 'log', 'desks'],
		].map((name) => `pages/${name}`);
		const developers = ['webhooks', `webhooks?id=${endpoint}`, 'deliveries', 'keys'].map(
			(name) => `developers/${name}`,
		);
		const sizes: Record<string, number> = {};
		for (const name of [...names, ...developers]) {
			const { status, html } = await send(desk(name), ida);
			expect([name, status]).toEqual([name, 200]);
			sizes[name] = deployedBytes(html);
		}
		expect(Object.entries(sizes).filter(([, bytes]) => bytes > MOST_BYTES)).toEqual([]);
	});

	it('shows its team and its people in parts of ten, and a form leads back to the part that it was in', async () => {
		const { ida } = await fullShop(language);
		for (const name of ['team', 'people']) {
			const [first, second, other] = await Promise.all(
				['', '?from=10', '?from=7'].map(async (query) => (await send(desk(`pages/${name}${query}`), ida)).html),
			);
			const rows = (html = '') => html.split('<tr><th scope="row">').length - 1;
			expect([name, rows(first), rows(second), rows(other)]).toEqual([name, 10, 10, 10]);
			expect(second).toMatch(new RegExp(`<a href="${name}\\?from=10" aria-current="true">`));
		}
		const { html } = await send(desk('pages/team?from=10'), ida);
		const form = formsIn(html).find(({ action, member_id }) => action === 'member_moved' && member_id === 'm15');
		const answer = await post(ida, 'team?from=10', { ...form });
		expect([answer.status, answer.headers.get('location')]).toEqual([303, 'team?from=10&saved=member_moved']);
		expect((await send(desk('pages/team?from=10'), ida)).html.indexOf(longName(language, 15))).toBeGreaterThan(0);
	});
});
