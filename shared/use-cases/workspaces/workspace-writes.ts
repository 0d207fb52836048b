import type { Write } from '../../ports/store.ts';

const guard = { if: 'always' } as const;

/** The writes of the records with which a preflight request finds out whether any workspace allows an origin. */
export function originWrites(
	workspace_id: string,
	before: readonly string[],
	after: readonly string[],
): readonly Write[] {
	const newOrigins = [...new Set(after)].filter((origin) => !before.includes(origin));
	const oldOrigins = before.filter((origin) => !after.includes(origin));
	return [
		...newOrigins.map((origin): Write => {
			return { op: 'put', record: 'allowed_origin', item: { origin, workspace_id }, guard };
		}),
		...oldOrigins.map((origin): Write => {
			return { op: 'remove', record: 'allowed_origin', key: { origin, workspace_id }, guard };
		}),
	];
}
