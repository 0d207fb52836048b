import { describe, expect, it } from '@jest/globals';
import { languages } from '../../../shared/domain/workspaces/language.ts';
import { maySee } from '../../../shared/http/desk/actions.ts';
import { deskTextsIn } from '../../../shared/presentation/desk-texts.ts';
import { fillIn } from '../../../shared/presentation/team-texts.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';

// What the desk says in a rare state is true there, too.

const { newShop, invite, pageAt, send, signIn } = deskInMemory();
const UNKNOWN = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('a page that a role may not see', () => {
	it.each(['numbers', 'hours'])(
		'says that it is not for this role, and not that only owners have it: %s',
		async (page) => {
			const shop = await newShop();
			await invite(shop.id, 'dev@agency.example', 'developer');
			const { status, html } = await send(pageAt(page), await signIn('dev@agency.example', shop.id));
			expect([status, maySee({ role: 'member' }, 'numbers')]).toEqual([403, true]);
			expect(html).toContain('Your role doesn’t have this page');
			expect(html).not.toMatch(/only .*owners/i);
		},
	);
});

describe('an address that names a thing that does not exist', () => {
	it.each([
		['calls?id=', 'call'],
		['calls?lead=', 'lead'],
		['deliveries?id=', 'delivery'],
		['webhooks?id=', 'endpoint'],
	] as const)('says so above the list: %s', async (page, kind) => {
		const shop = await newShop();
		const owner = await signIn(shop.owner, shop.id);
		const says = deskTextsIn('en').no_such[kind];
		expect((await send(pageAt(`${page}${UNKNOWN}`), owner)).html).toContain(says);
		expect((await send(pageAt(page.split('?')[0] ?? ''), owner)).html).not.toContain(says);
	});
});

it('the list of calls of a new shop says that there are none yet, and a search says that none matches', async () => {
	const shop = await newShop();
	const owner = await signIn(shop.owner, shop.id);
	const { no_calls, search } = deskTextsIn('en');
	const says = async (page: string) => {
		const { html } = await send(pageAt(page), owner);
		return [no_calls, search.none].filter((each) => html.includes(each));
	};
	expect(await says('calls')).toEqual([no_calls]);
	for (const query of ['end=missed', 'name=Ada', 'day=2026-11-21'])
		expect(await says(`calls?${query}`)).toEqual([search.none]);
});

describe('a sentence that ends with a time or a date', () => {
	it('has only one full stop', () => {
		expect(fillIn('Since {0}. They', '1:00 a.m.')).toBe('Since 1:00 a.m. They');
		expect(fillIn('{0}: {1}.', 'Mr.', '1:00')).toBe('Mr.: 1:00.');
	});

	it.each(languages)('has only one full stop in %s, on the clock of any region', async (language) => {
		for (const region of ['US', 'MX', 'DE', 'NL', 'EG']) {
			const shop = await newShop(region, { language, time_zone: 'Europe/Madrid' });
			const owner = await signIn(shop.owner, shop.id);
			for (const page of ['numbers', 'numbers?days=30', 'today', 'hours', 'team']) {
				const { html } = await send(pageAt(page), owner);
				const words = html.replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '').replace(/<[^>]*>/g, '');
				expect([page, region, [...words.matchAll(/.{12}\.[\u2068\u2069]?\.(?!\.)/g)].map(String)]).toEqual([
					page,
					region,
					[],
				]);
			}
		}
	});
});
