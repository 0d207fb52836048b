import type { Leg } from '../../domain/calls/leg.ts';
import type { Store } from '../../ports/store.ts';
import type { Telephony } from '../../ports/telephony.ts';

export type ErasesLegs = { readonly store: Store; readonly erasesAtProvider: Pick<Telephony, 'erase'> };

/**
 * A leg whose record was not deleted at the provider. `why` is the provider's own code, or what went wrong with the request,
 * or `not_supported`: the provider documents no way to delete the record, and `document` is the address of that
 * documentation.
 */
export type LeftAtProvider = {
	readonly call_id: string;
	readonly leg: Leg['role'];
	readonly why: string;
	readonly document?: string;
};

export type LegsErasure = {
	readonly removed: number;
	readonly gone: number;
	readonly left: readonly LeftAtProvider[];
};

/**
 * Deletes the provider's record of each leg of a call, if the leg's id at the provider is known. Idempotent: a record that
 * the provider no longer has is counted in `gone`, and is not a failure. If the provider fails, the leg is listed in
 * `left`, and nothing is thrown.
 */
export async function eraseLegs(call_id: string, { store, erasesAtProvider }: ErasesLegs): Promise<LegsErasure> {
	const call = await store.get('call', { id: call_id });
	const left: LeftAtProvider[] = [];
	let removed = 0;
	let gone = 0;
	for (const { role, provider_id, freed_id } of call?.legs ?? []) {
		for (const id of new Set([provider_id, freed_id])) {
			if (id === null || id === undefined) continue;
			const outcome = await erasesAtProvider.erase(id);
			switch (outcome.erase) {
				case 'done':
					removed += 1;
					break;
				case 'gone':
					gone += 1;
					break;
				case 'not_supported':
					left.push({ call_id, leg: role, why: outcome.erase, document: outcome.document });
					break;
				case 'failed':
					left.push({ call_id, leg: role, why: outcome.code });
			}
		}
	}
	return { removed, gone, left };
}
