import type { Route } from '../contract/route.ts';
import { readCursor, writeCursor } from '../domain/kernel/cursor.ts';
import { Refused } from './exchange.ts';

/** Reads the cursor of a request, and writes the one of its response. */
export type Cursors = {
	/** The place where the previous page ended, read by `parse`. Throws `Refused` if the cursor belongs to another request. */
	read<Place>(cursor: string, parse: (text: string) => Place | null): Place;
	write(place: string): string;
};

/** `filters`: everything that selects items, as it was sent. A cursor is valid for the same workspace, route and filters. */
export function cursorsFor(
	{ operation }: Pick<Route, 'operation'>,
	workspace_id: string,
	filters: Readonly<Record<string, unknown>>,
): Cursors {
	const presentFilters = Object.entries(filters).filter(([, value]) => value !== undefined);
	const texts = Object.fromEntries(presentFilters.map(([name, value]) => [name, String(value)]));
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
