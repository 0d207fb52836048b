import { randomUUID } from 'node:crypto';

/** Numbers the changes of items, so that a page is sent only what it has not seen. Items are compared by their JSON. */
export function recentChanges() {
	const run = randomUUID();
	let number = 0;
	const lists = new Map<string, ReadonlyMap<string, { readonly json: string; readonly number: number }>>();

	return {
		/** The number up to which a page with this token has seen all; null if the token is empty, or of another run. */
		lastSeen(token: string): number | null {
			const [token_run, last] = token.split('_');
			return token_run === run ? Number(last) : null;
		},
		/** The items of the named list that were added or changed after this number. */
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
		/** For the page to send with its next request. */
		token: () => `${run}_${number}`,
	};
}
