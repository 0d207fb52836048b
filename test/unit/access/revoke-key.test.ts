import { describe, expect, it } from '@jest/globals';
import { revokeApiKey } from '../../../shared/use-cases/access/api-keys.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { idOf, samples, WORKSPACE } from '../../support/sample-records.ts';
import { put } from '../../support/writes.ts';

const NOW = '2026-11-21T10:00:00.000Z';

async function storedKey() {
	const store = memoryStore();
	const { api_key } = samples;
	await store.commit([put('api_key', api_key)]);
	const revoke = (workspace_id?: string, at = NOW) =>
		revokeApiKey(
			{ id: api_key.id, ...(workspace_id !== undefined && { workspace_id }) },
			{ store, clock: { now: () => Date.parse(at) } },
		);
	return { api_key, revoke, stored: () => store.get('api_key', { id: api_key.id }) };
}

describe('an API key', () => {
	it('cannot be revoked by another workspace, which gets the same answer as for an unknown key', async () => {
		const { api_key, revoke, stored } = await storedKey();
		expect(await revoke(idOf(99))).toEqual({ outcome: 'not_found' });
		expect(await stored()).toEqual(api_key);
	});

	it('can be revoked by its workspace and by an operator, and keeps the time of its first revocation', async () => {
		for (const by of [WORKSPACE, undefined]) {
			const { api_key, revoke, stored } = await storedKey();
			const revoked = { ...api_key, version: 2, revoked_at: NOW };
			expect(await revoke(by)).toEqual({ outcome: 'revoked', key: revoked });
			expect(await revoke(by, '2026-11-22T10:00:00.000Z')).toEqual({ outcome: 'revoked', key: revoked });
			expect(await stored()).toEqual(revoked);
		}
	});
});
