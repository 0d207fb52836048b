import type { Route } from '../contract/route.ts';
import { readCursor, writeCursor } from '../domain/kernel/cursor.ts';
import { Refused } from './exchange.ts';

/** The cursors of one request: what it gave, and what its answer gives for the next one. */
export type Cursors = {
	/** The place where an earlier answer stopped, as `parse` reads it. Throws `Refused` if the cursor is not one for this request. */
	read<Place>(cursor: string, parse: (text: string) => Place | null): Place;
	write(place: string): string;
};

/** `filters`: everything that selects items, as it was sent. A cursor is valid for the same workspace, route and filters. */
export function cursorsFor(
	{ operation }: Pick<Route, 'operation'>,
	workspace_id: string,
	filters: Readonly<Record<string, unknown>>,
): Cursors {
	const given = Object.entries(filters).filter(([, value]) => value !== undefined);
	const texts = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
	const scope = { workspace_id, operation, filters: texts };
	return {
		read(cursor, parse) {
			const text = readCursor(cursor, scope);
			const place = text === null ? null : parse(text);
			if (place !== null) return place;
			throw new Refused({ code: 'invalid_cursor', detail: 'Use a cursor as it was given, with the same filters.' });
		},
		write: (place) => writeCursor(place, scope),
	};
}
