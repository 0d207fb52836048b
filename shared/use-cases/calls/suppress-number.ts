import { isTerminal } from '../../domain/calls/call.ts';
import { allowedUsage, type NumberUsage, suppressedUsage } from '../../domain/calls/number-usage.ts';
import { maskPhone } from '../../domain/kernel/phone-mask.ts';
import { numberSubject } from '../../domain/kernel/phone-number.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Store } from '../../ports/store.ts';
import { numberHashes } from '../access/keyed-hash.ts';
import { asRead, change } from '../kernel/unit-of-work.ts';

type Deps = Pick<Ports, 'store' | 'clock' | 'macs'>;
type NumberInWorkspace = { readonly workspace_id: string; readonly e164: string };
export type Suppression = {
	readonly workspace_id: string;
	readonly phone_masked: string;
	readonly suppressed: boolean;
	/** Whether the state of the number was changed. False if the number already had the requested state. */
	readonly changed: boolean;
};

export async function isSuppressed(number: NumberInWorkspace, deps: Deps): Promise<Suppression> {
	return suppressionOf(number, await isAnySuppressed(await hashesOf(number, deps), deps.store), false);
}

export async function isAnySuppressed(hashes: readonly string[], store: Pick<Store, 'get'>): Promise<boolean> {
	const usages = await Promise.all(hashes.map((number_hash) => store.get('number_usage', { number_hash })));
	return usages.some((usage) => usage?.suppressed);
}

/**
 * Adds a number to the workspace's suppression list, or removes it. Requests for a suppressed number get the same refusal
 * as requests over a rate limit. A live call continues.
 */
export async function suppressNumber(number: NumberInWorkspace, suppressed: boolean, deps: Deps): Promise<Suppression> {
	// Also write the state under the hashes of older keys, because a link that was sent before the key was replaced uses
	// the old hash.
	const changes = [];
	for (const numberHash of await hashesOf(number, deps)) {
		changes.push(await setSuppressed(numberHash, suppressed, deps));
		// Each consent names a call or lead. The encrypted number may be stored with that call or lead.
		const consents = suppressed ? await deps.store.consentsOf(numberHash) : [];
		await forgetSealed(
			consents.map(({ subject }) => subject),
			deps,
		);
	}
	return suppressionOf(number, suppressed, changes.includes(true));
}

/**
 * Suppresses the number of a call or a lead by its hash, so that no one has to see the number. `owners` name the records
 * for which the number is stored in encrypted form.
 */
export async function suppressHash(
	numberHash: string,
	owners: readonly string[],
	deps: Pick<Ports, 'store' | 'clock'>,
): Promise<boolean> {
	const changed = await setSuppressed(numberHash, true, deps);
	await forgetSealed(owners, deps);
	return changed;
}

/**
 * Removes the encrypted numbers that were kept for calls back, because no call back will follow. A live call keeps its
 * number until it ends.
 */
async function forgetSealed(owners: readonly string[], { store }: Pick<Ports, 'store'>): Promise<void> {
	for (const owner of owners) {
		const { kind, id } = numberSubject(owner);
		const call = kind === 'call' ? await store.get('call', { id }) : null;
		if (call !== null && !isTerminal(call.status)) continue;
		await store.commit([{ op: 'remove', record: 'sealed_number', key: { owner }, guard: { if: 'always' } }]);
	}
}

/** Returns false if the number already had this state. */
async function setSuppressed(
	number_hash: string,
	suppressed: boolean,
	{ store, clock }: Pick<Deps, 'store' | 'clock'>,
): Promise<boolean> {
	return change<NumberUsage | null, boolean>(
		{
			read: () => store.get('number_usage', { number_hash }),
			decide: (usage) => {
				if ((usage?.suppressed ?? false) === suppressed) return { result: false };
				const item = suppressed ? suppressedUsage(usage, number_hash) : allowedUsage(usage, number_hash, clock.now());
				const guard = asRead(usage);
				return {
					result: true,
					writes: { number: { op: 'put', record: 'number_usage', item, guard } },
				};
			},
		},
		store,
	);
}

const hashesOf = ({ workspace_id, e164 }: NumberInWorkspace, { macs }: Deps): Promise<readonly string[]> =>
	numberHashes(macs, workspace_id, e164);

function suppressionOf({ workspace_id, e164 }: NumberInWorkspace, suppressed: boolean, changed: boolean): Suppression {
	return { workspace_id, phone_masked: maskPhone(e164), suppressed, changed };
}
