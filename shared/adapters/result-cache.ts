type CacheEntry<T> = { readonly result: Promise<T>; readonly asked_ms: number };
type Limits = { readonly most?: number; readonly fresh_ms?: number; readonly now?: () => number };

/**
 * Asks for the result of each name once. All callers share the result for `fresh_ms` by the wall clock, or forever if
 * `fresh_ms` is absent. Only the newest `most` results are cached. If asking fails, all callers who wait get the failure,
 * but the failure is not cached.
 */
export function resultCache<T>({ most = Infinity, fresh_ms = Infinity, now = Date.now }: Limits = {}) {
	const entries = new Map<string, CacheEntry<T>>();
	return (name: string, ask: () => Promise<T>): Promise<T> => {
		const entry = entries.get(name);
		if (entry !== undefined && now() - entry.asked_ms < fresh_ms) return entry.result;
		const newEntry = { result: ask(), asked_ms: now() };
		entries.delete(name);
		entries.set(name, newEntry);
		newEntry.result.catch(() => {
			if (entries.get(name) === newEntry) entries.delete(name);
		});
		const [oldest] = entries.keys();
		if (entries.size > most && oldest !== undefined) entries.delete(oldest);
		return newEntry.result;
	};
}
