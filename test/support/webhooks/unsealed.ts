import { derivedId } from '../../../shared/domain/kernel/id.ts';
import type { Ids } from '../../../shared/ports/ids.ts';

/** Ids in the order of their making, and a vault that seals nothing. */
export function unsealed(clock: { readonly now_ms: number }) {
	let made = 0;
	const ids: Ids = {
		next() {
			made += 1;
			return derivedId(clock.now_ms, String(made));
		},
		random: (bytes) => new Uint8Array(bytes),
	};
	return { ids, vault: { openSecret: async (sealed: string) => sealed } };
}
