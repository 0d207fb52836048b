import { expect, it } from '@jest/globals';
import type { Store } from '../../../shared/ports/store.ts';
import { auditEntry, withAuditEntry } from '../../../shared/use-cases/desk/audit-entry.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples } from '../../support/sample-records.ts';
import { put } from '../../support/writes.ts';

const { workspace, api_key } = samples;

/** A store that also writes an audit entry with the first change of an API key. */
function audited(store: Store) {
	const { deps } = frontDesk(store);
	const who = { workspace_id: workspace.id, address: 'ida@shop.example', about: null };
	const entry = () => Promise.resolve(auditEntry({ ...who, change: 'key_revoked' }, deps));
	const entries = async () =>
		(await store.list('desk_change', workspace.id, { from_id: null, before_id: null, limit: 10 })).length;
	return { store: withAuditEntry(store, ['api_key'], entry), entries };
}

it('an audit entry is written once, together with the change of its record', async () => {
	const { store, entries } = audited(memoryStore());
	await store.commit([put('workspace', workspace)]);
	expect(await entries()).toBe(0);
	expect(await store.commit([put('api_key', api_key)])).toEqual({ committed: true });
	expect(await entries()).toBe(1);
	const again = { ...put('api_key', api_key), guard: { if: 'always' } } as const;
	expect(await store.commit([again])).toEqual({ committed: true });
	expect(await entries()).toBe(1);
});

it('a refused change leaves no audit entry, and a successful retry leaves one entry', async () => {
	const { store, entries } = audited(memoryStore());
	const stale = { ...put('api_key', api_key), guard: { if: 'version', version: 7 } } as const;
	expect(await store.commit([stale])).toMatchObject({ committed: false });
	expect(await entries()).toBe(0);
	expect(await store.commit([put('api_key', api_key)])).toEqual({ committed: true });
	expect(await entries()).toBe(1);
});
