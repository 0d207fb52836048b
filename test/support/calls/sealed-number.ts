import type { Write } from '../../../shared/ports/store.ts';

/** The write that stores the number of a visitor or a team member, by its owner's name. */
export function sealedNumber(owner: string, sealed: string): Write {
	const item = { owner, sealed, expires_at_epoch_s: null };
	const record = owner.startsWith('team#') ? 'team_number' : 'sealed_number';
	return { op: 'put', record, item, guard: { if: 'always' } };
}
