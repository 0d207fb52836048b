import type { DeskChange } from '../../domain/desk/desk-change.ts';
import type { Ports } from '../../ports/ports.ts';
import type { RecordName } from '../../ports/registry.ts';
import type { Store, Write } from '../../ports/store.ts';
import { asRead } from '../kernel/unit-of-work.ts';

/** Audit entries are deleted after this time. */
export const AUDIT_RETENTION_SECONDS = 365 * 24 * 3600;

/** The audit entry for a person's change. Write it in the transaction of that change. */
export function auditEntry(
	entry: Pick<DeskChange, 'workspace_id' | 'address' | 'change' | 'about'>,
	{ clock, ids }: Pick<Ports, 'clock' | 'ids'>,
): Write {
	const nowMs = clock.now();
	const created_at = new Date(nowMs).toISOString();
	const expires_at_epoch_s = Math.floor(nowMs / 1000) + AUDIT_RETENTION_SECONDS;
	const item = { ...entry, id: ids.next(nowMs), created_at, expires_at_epoch_s };
	return { op: 'put', record: 'desk_change', item, guard: asRead(null) };
}

/**
 * Returns a store that adds an audit entry to the first transaction that writes one of these records. If `entryNow` returns
 * null, no entry is added.
 */
export function withAuditEntry(
	store: Store,
	records: readonly RecordName[],
	entryNow: () => Promise<Write | null>,
): Store {
	let isWritten = false;
	const commit: Store['commit'] = async (writes, inTime) => {
		const isItsChange = writes.some((write) => 'record' in write && records.includes(write.record));
		const entry = isItsChange && !isWritten ? await entryNow() : null;
		if (entry === null) return store.commit(writes, inTime);
		const outcome = await store.commit([...writes, entry], inTime);
		isWritten = outcome.committed;
		return outcome;
	};
	return { ...store, commit };
}
