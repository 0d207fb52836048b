import { createHash } from 'node:crypto';
import type { TeamMember } from '../../../shared/domain/workspaces/workspace.ts';
import type { Write } from '../../../shared/ports/store.ts';
import { put } from '../writes.ts';

/**
 * The write that stores the encrypted number of a visitor or a team member. `owner` is the key of the record. The key of a team
 * member starts with `team#`.
 */
export function sealedNumber(owner: string, sealed: string): Write {
	const item = { owner, sealed, expires_at_epoch_s: null };
	const guard = { if: 'always' } as const;
	if (!owner.startsWith('team#')) return put('sealed_number', item, guard);
	const number_hash = createHash('sha256').update(sealed).digest('base64url');
	return put('team_number', { ...item, number_hash, region: 'US', type: 'fixed' }, guard);
}

/** A team of this size, whose members have no names. `m1` was added first. */
export const teamOf = (size: number): readonly TeamMember[] =>
	Array.from({ length: size }, (_, nth) => ({
		id: `m${nth + 1}`,
		phone_masked: `+1********${String(nth + 1).padStart(2, '0')}`,
	}));
