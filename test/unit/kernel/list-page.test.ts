import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Call } from '../../../shared/domain/calls/call.ts';
import type { ListRange, Store } from '../../../shared/ports/store.ts';
import { listPage, type Page } from '../../../shared/use-cases/kernel/list-page.ts';

/** A list of `count` calls, newest first. It records how often it is read. The oldest call is `c000`. */
function listOf(count: number) {
	const calls = Array.from({ length: count }, (_, at) => ({ id: `c${String(at).padStart(3, '0')}` }) as Call).reverse();
	let questions = 0;
	const list = async (_record: 'call', _workspace_id: string, { before_id, limit }: ListRange) => {
		questions += 1;
		return calls.filter(({ id }) => before_id === null || id < before_id).slice(0, limit);
	};
	return { calls, store: { list } as Pick<Store, 'list'>, questions: () => questions };
}
const range = { workspace_id: 'w', from_id: null };

it('a list reads at most a dozen times for a page whose filter accepts nothing', async () => {
	const { store, questions } = listOf(700);
	const page = await listPage('call', { ...range, before_id: null, limit: 1 }, () => false, store);
	expect(page.items).toEqual([]);
	expect(page.next_before_id).not.toBeNull();
	expect(questions()).toBeLessThanOrEqual(12);
});

it('a list shows each accepted item exactly once, newest first, for every limit and filter', () =>
	fc.assert(
		fc.asyncProperty(
			fc.nat(650),
			fc.integer({ min: 1, max: 100 }),
			fc.integer({ min: 1, max: 300 }),
			async (count, limit, nth) => {
				const { calls, store } = listOf(count);
				const accept = ({ id }: Call): boolean => Number(id.slice(1)) % nth === 0;
				const shown: Call[] = [];
				let before_id: string | null = null;
				do {
					const page: Page<Call> = await listPage('call', { ...range, before_id, limit }, accept, store);
					expect(page.items.length).toBeLessThanOrEqual(limit);
					shown.push(...page.items);
					before_id = page.next_before_id;
				} while (before_id !== null);
				expect(shown).toEqual(calls.filter(accept));
			},
		),
	));
