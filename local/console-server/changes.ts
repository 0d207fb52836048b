import { randomUUID } from 'node:crypto';

/**
 * Numbers the changes of items, so that a page is sent only what it has not seen. Items are compared by their JSON, or, if
 * they never change, by identity.
 */
export function recentChanges() {
	const run = randomUUID();
	let number = 0;
	const fixed = new WeakMap<object, number>();
	const lists = new Map<string, ReadonlyMap<string, { readonly json: string; readonly number: number }>>();

	return {
		/** The last number that a page with this token has seen; null if the token is of another run, or none. */
		lastSeen(token: string): number | null {
			const [of, last] = token.split('_');
			return of === run ? Number(last) : null;
		},
		/** The items of a list by name that were new or other after this number. */
		changed<T extends { readonly id: string }>(list: string, items: readonly T[], after: number): readonly T[] {
			const records = lists.get(list);
			const now = new Map(
				items.map((item) => {
					const json = JSON.stringify(item);
					const before = records?.get(item.id);
					return [item.id, before?.json === json ? before : { json, number: ++number }];
				}),
			);
			lists.set(list, now);
			return items.filter(({ id }) => (now.get(id)?.number ?? 0) > after);
		},
		/** The items, of those that never change, which were added after this number. */
		added<T extends object>(items: readonly T[], after: number): readonly T[] {
			for (const item of items) if (!fixed.has(item)) fixed.set(item, ++number);
			return items.filter((item) => (fixed.get(item) ?? 0) > after);
		},
		/** For the page to send with its next request. */
		token: () => `${run}_${number}`,
	};
}
