type Kept<T> = { readonly answer: Promise<T>; readonly asked_ms: number };
type Limits = { readonly most?: number; readonly fresh_ms?: number; readonly now?: () => number };

/**
 * Asks once for each name: all who ask share the answer, for `fresh_ms` (for ever where there is none) by the clock on the
 * wall. Only the newest `most` are kept. A failure is shared by those who wait for it, and not kept.
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
