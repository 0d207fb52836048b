type Kept<T> = { readonly answer: Promise<T>; readonly asked_ms: number };
type Limits = { readonly most?: number; readonly fresh_ms?: number; readonly now?: () => number };

/**
 * Requests each name once: all callers share the result for `fresh_ms` by the wall clock (without it, permanently). Caches
 * only the newest `most`. Waiting callers share a failure, but it is not cached.
 */
export function keptAnswers<T>({ most = Infinity, fresh_ms = Infinity, now = Date.now }: Limits = {}) {
	const kept = new Map<string, Kept<T>>();
	return (name: string, ask: () => Promise<T>): Promise<T> => {
		const known = kept.get(name);
		if (known !== undefined && now() - known.asked_ms < fresh_ms) return known.answer;
		const asked = { answer: ask(), asked_ms: now() };
		kept.delete(name);
		kept.set(name, asked);
		asked.answer.catch(() => kept.get(name) === asked && kept.delete(name));
		const [oldest] = kept.keys();
		if (kept.size > most && oldest !== undefined) kept.delete(oldest);
		return asked.answer;
	};
}
