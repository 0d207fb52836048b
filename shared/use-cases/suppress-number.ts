import { allowedUsage, suppressedUsage } from '../domain/number-usage.ts';
import { maskPhone } from '../domain/phone-number.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store, Write } from '../ports/store.ts';
import type { Macs } from '../ports/vault.ts';
import { numberHash } from './keyed-hash.ts';

type Deps = { readonly store: Store; readonly clock: Clock; readonly macs: Macs };
type Numbered = { readonly workspace_id: string; readonly e164: string };
export type Suppression = {
	readonly workspace_id: string;
	readonly phone_masked: string;
	readonly suppressed: boolean;
	/** False: it was so already. */
	readonly changed: boolean;
};

/** Whether this workspace may never call the number. */
export async function isSuppressed(numbered: Numbered, deps: Deps): Promise<Suppression> {
	const usage = await deps.store.get('number_usage', { number_hash: await hashOf(numbered, deps) });
	return about(numbered, usage?.suppressed ?? false, false);
}

/**
 * Puts a number on the workspace's suppression list, or takes it off. From then on a request for it is refused as if its
 * window were spent; a call that is under way goes on.
 */
export async function suppressNumber(numbered: Numbered, suppressed: boolean, deps: Deps): Promise<Suppression> {
	const number_hash = await hashOf(numbered, deps);
	for (;;) {
		const usage = await deps.store.get('number_usage', { number_hash });
		if ((usage?.suppressed ?? false) === suppressed) return about(numbered, suppressed, false);
		const item = suppressed ? suppressedUsage(usage, number_hash) : allowedUsage(usage, number_hash, deps.clock.now());
		const guard = usage === null ? ({ if: 'absent' } as const) : ({ if: 'version', version: usage.version } as const);
		const write: Write = { op: 'put', record: 'number_usage', item, guard };
		if ((await deps.store.commit([write])).committed) return about(numbered, suppressed, true);
	}
}

const hashOf = ({ workspace_id, e164 }: Numbered, { macs }: Deps): Promise<string> =>
	numberHash(macs, workspace_id, e164);

function about({ workspace_id, e164 }: Numbered, suppressed: boolean, changed: boolean): Suppression {
	return { workspace_id, phone_masked: maskPhone(e164), suppressed, changed };
}
