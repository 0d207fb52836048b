import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Call } from '../../../shared/domain/calls/call.ts';
import type { ListRange, Store } from '../../../shared/ports/store.ts';
import { listPage, type Page, searchPage } from '../../../shared/use-cases/kernel/list-page.ts';

/** A list of `count` calls, newest first. It records how often it is read. The oldest call is `c000`. */
function listOf(count: number) {
	const calls = Array.from({ length: count }, (_, at) => ({ id: `c${String(at).padStart(3, '0')}` }) as Call).reverse();
	let questions = 0;
	const list = async (_record: 'call', _workspace_id: string, { before_id, limit }: ListRange) => {
		questions += 1;
		return calls.filter(({ id }) => before_id === null || id < before_id).slice(0, limit);
	};
	const get = async (_record: 'call', { id }: { readonly id: string }) => calls.find((call) => call.id === id) ?? null;
	const store = { list, listFields: list, get } as Pick<Store, 'list' | 'listFields' | 'get'>;
	return { calls, store, questions: () => questions };
}
const range = { workspace_id: 'w', from_id: null };

it('a list reads at most a dozen times for a page whose filter accepts nothing', async () => {
	const { store, questions } = listOf(700);
	const page = await listPage('call', { ...range, before_id: null, limit: 1 }, () => false, store);
	expect(page.items).toEqual([]);
	expect(page.next_before_id).not.toBeNull();
	expect(questions()).toBeLessThanOrEqual(12);
});

it('a search reads at most as many items as it may go through, and then goes on where it stopped', async () => {
	const { calls, store } = listOf(700);
	const search = (before_id: string | null) =>
		searchPage('call', { ...range, before_id, limit: 10, most: 60 }, { fields: ['id'], accept: () => false }, store);
	const { next_before_id } = await search(null);
	expect(next_before_id).toBe(calls[59]?.id);
	expect((await search(next_before_id)).next_before_id).toBe(calls[119]?.id);
	expect((await search(calls.at(-30)?.id ?? null)).next_before_id).toBeNull();
});

it('a search leaves out an item that no longer matches when it is read whole', async () => {
	const { calls, store } = listOf(3);
	const get = async () => ({ ...calls[1], reference: 'changed' });
	const accept = ({ reference }: Pick<Call, 'reference'>): boolean => reference !== 'changed';
	const stale = { ...store, get } as typeof store;
	const search = { fields: ['reference'], accept } as const;
	expect(await searchPage('call', { ...range, before_id: null, limit: 2 }, search, stale)).toEqual({
		items: [],
		next_before_id: calls[1]?.id,
	});
});

it.each([false, true])(
	'a list shows each accepted item exactly once, newest first, for every limit and filter (search: %s)',
	(isSearch) =>
		fc.assert(
			fc.asyncProperty(
				fc.nat(650),
				fc.integer({ min: 1, max: 100 }),
				fc.integer({ min: 1, max: 300 }),
				async (count, limit, nth) => {
					const { calls, store } = listOf(count);
					const accept = ({ id }: Pick<Call, 'id'>): boolean => Number(id.slice(1)) % nth === 0;
					const shown: Call[] = [];
					let before_id: string | null = null;
					do {
						const from = { ...range, before_id, limit };
						const page: Page<Call> = isSearch
							? await searchPage('call', from, { fields: ['id'], accept }, store)
							: await listPage('call', from, accept, store);
						expect(page.items.length).toBeLessThanOrEqual(limit);
						shown.push(...page.items);
						before_id = page.next_before_id;
					} while (before_id !== null);
					expect(shown).toEqual(calls.filter(accept));
				},
			),
		),
);
