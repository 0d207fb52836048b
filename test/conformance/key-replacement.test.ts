import { afterAll, describe, expect, it } from '@jest/globals';
import type { Store } from '../../shared/ports/store.ts';
import type { Macs } from '../../shared/ports/vault.ts';
import { isSuppressed, suppressNumber } from '../../shared/use-cases/calls/suppress-number.ts';
import { erasePerson } from '../../shared/use-cases/retention/erase-person.ts';
import { showConsent } from '../../shared/use-cases/widget/show-consent.ts';
import { frontDesk } from '../support/front-desk.ts';
import { stopStores, stores } from './store/stores.ts';

// After the look-up key was replaced, the service still finds a number's records that were written with the former key.

const NUMBER = '+12025550123';
const bytes = (value: number) => new Uint8Array(32).fill(value);
const before: Macs = { key: async () => bytes(1) };
const after: Macs = { key: async () => bytes(2), former: async () => [bytes(1)] };

afterAll(stopStores);

/** A workspace, and a person whose requests and look-ups use the given keys. */
async function world(store: Store) {
	const desk = frontDesk(store);
	const workspace = desk.workspace();
	const person = { workspace_id: workspace.id, e164: NUMBER };
	const under = (macs: Macs) => ({ ...desk.deps, macs });
	return {
		async asks(use: 'requestCall' | 'captureLead', macs: Macs) {
			Object.assign(desk.deps, { macs });
			const outcome = await desk[use](workspace, NUMBER);
			return 'refused' in outcome ? outcome.refused : 'taken';
		},
		suppress: (suppressed: boolean, macs: Macs) => suppressNumber(person, suppressed, under(macs)),
		isSuppressed: async (macs: Macs) => (await isSuppressed(person, under(macs))).suppressed,
		consents: async (macs: Macs) => (await showConsent(person, under(macs))).consents.map((consent) => consent.for),
		erase: (macs: Macs) => erasePerson({ ...person, keep_consent: false }, under(macs)),
	};
}

describe.each(stores)('after the look-up key was replaced (%s)', (_, newStore) => {
	it('a number that was suppressed before is still refused, as if it had reached its limit', async () => {
		const { suppress, isSuppressed, asks } = await world(await newStore());
		await suppress(true, before);
		expect(await isSuppressed(after)).toBe(true);
		expect(await asks('requestCall', after)).toBe('rate_limited');
		expect(await asks('captureLead', after)).toBe('rate_limited');
	});

	it('a number that was suppressed before can be removed from the list, and is called again', async () => {
		const { suppress, asks } = await world(await newStore());
		await suppress(true, before);
		expect(await suppress(false, after)).toMatchObject({ suppressed: false, changed: true });
		expect(await asks('requestCall', after)).toBe('taken');
	});

	it('a number that is suppressed after the replacement is suppressed under the old key, too, because older leads have only that key’s hash', async () => {
		const { suppress, isSuppressed } = await world(await newStore());
		await suppress(true, after);
		expect(await isSuppressed(before)).toBe(true);
	});

	it('older evidence of consent is shown and erased together with newer evidence', async () => {
		const { asks, consents, erase } = await world(await newStore());
		expect(await asks('requestCall', before)).toBe('taken');
		expect(await asks('captureLead', after)).toBe('taken');
		expect((await consents(after)).sort()).toEqual(['call', 'lead']);
		expect(await erase(after)).toMatchObject({ consents_removed: 2, calls_canceled: 1, suppressed: false });
		expect(await consents(after)).toEqual([]);
	});
});
