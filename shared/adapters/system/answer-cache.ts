type Cached<T> = { readonly answer: Promise<T>; readonly asked_ms: number };
type Limits = { readonly most?: number; readonly fresh_ms?: number; readonly now?: () => number };

/**
 * Requests each name once: all callers share the result for `fresh_ms` by the wall clock (without it, permanently). Caches
 * only the newest `most`. Waiting callers share a failure, but it is not cached.
 */
export function answerCache<T>({ most = Infinity, fresh_ms = Infinity, now = Date.now }: Limits = {}) {
	const cached = new Map<string, Cached<T>>();
	return (name: string, ask: () => Promise<T>): Promise<T> => {
		const known = cached.get(name);
		if (known !== undefined && now() - known.asked_ms < fresh_ms) return known.answer;
		const asked = { answer: ask(), asked_ms: now() };
		cached.delete(name);
		cached.set(name, asked);
		asked.answer.catch(() => cached.get(name) === asked && cached.delete(name));
		const [oldest] = cached.keys();
		if (cached.size > most && oldest !== undefined) cached.delete(oldest);
		return asked.answer;
	};
}
