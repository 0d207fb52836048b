import type { Resolve } from './resolve.ts';

/** As long as a connection is kept: a receiver that moves is found by the first delivery after that. */
const KEPT_MS = 4000;
/** A deliver function meets many hosts. */
const MOST_NAMES = 1000;

type Kept = { readonly found: Promise<readonly string[]>; readonly asked_ms: number };

/**
 * Asks for a host's addresses once for all deliveries of the next 4 s, by the clock on the wall (a frozen container's
 * other clocks stand still). A failure is shared by those who wait for it, and not kept.
 */
export function keptNames(resolve: Resolve, now: () => number = Date.now): Resolve {
	const kept = new Map<string, Kept>();

	function ask(host: string): Promise<readonly string[]> {
		const asked = { found: resolve(host), asked_ms: now() };
		kept.delete(host);
		kept.set(host, asked);
		const [oldest] = kept.keys();
		if (kept.size > MOST_NAMES && oldest !== undefined) kept.delete(oldest);
		asked.found.catch(() => {
			if (kept.get(host) === asked) kept.delete(host);
		});
		return asked.found;
	}
	return (host) => {
		const known = kept.get(host);
		return known !== undefined && now() - known.asked_ms < KEPT_MS ? known.found : ask(host);
	};
}
