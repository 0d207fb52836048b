import type { Route } from '../contract/route.ts';
import { openCursor, sealCursor } from '../domain/kernel/cursor.ts';
import type { Ports } from '../ports/ports.ts';
import { Refused } from './exchange.ts';

/** The cursors of one request: what it gave, and what its answer gives for the next one. */
export type Cursors = {
	/** The place where an earlier answer stopped. Throws `Refused` if the cursor is not one for this request. */
	open(cursor: string): string;
	seal(place: string): string;
};

/** `filters`: everything that selects items, as it was sent. A cursor is valid for the same workspace, route and filters. */
export async function cursorsFor(
	{ operation }: Pick<Route, 'operation'>,
	workspace_id: string,
	filters: Readonly<Record<string, unknown>>,
	{ macs, clock }: Pick<Ports, 'macs' | 'clock'>,
): Promise<Cursors> {
	const given = Object.entries(filters).filter(([, value]) => value !== undefined);
	const texts = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
	const scope = { workspace_id, operation, filters: texts };
	const key = await macs.key('cursor');
	return {
		open(cursor) {
			const place = openCursor(cursor, scope, clock.now(), key);
			if (place !== null) return place;
			throw new Refused({ code: 'invalid_cursor', detail: 'Use a cursor as it was given, with the same filters.' });
		},
		seal: (place) => sealCursor(place, scope, clock.now(), key),
	};
}
