import { DatabaseSync } from 'node:sqlite';
import type { WebhookEvent } from '../../packages/client/webhooks.ts';

/** `duplicate`: this event is already stored. `stale`: a later event of the same call or lead is already stored. */
export type StoreResult = 'new' | 'duplicate' | 'stale';

/** Stores received events until your code has processed them. */
export type EventStore = {
	/**
	 * Stores the event. `sequence` is the value of the header Service-Sequence. Storing must be atomic, because the same
	 * event may arrive twice at the same time.
	 */
	keep(event: WebhookEvent, sequence: number): Promise<StoreResult>;
};

const TABLE = `
	CREATE TABLE IF NOT EXISTS events (
		id TEXT PRIMARY KEY,
		subject_id TEXT NOT NULL,
		sequence INTEGER NOT NULL,
		stale INTEGER NOT NULL,
		body TEXT NOT NULL,
		handled_at TEXT
	) STRICT;
	CREATE INDEX IF NOT EXISTS events_by_subject ON events (subject_id, sequence);
`;

// One statement is enough, because only one writer at a time can use a SQLite file. In a database with concurrent writers, first
// lock a row for the call or lead (`subject_id`).
const KEEP = `
	INSERT INTO events (id, subject_id, sequence, stale, body)
	SELECT ?1, ?2, ?3, EXISTS (SELECT 1 FROM events WHERE subject_id = ?2 AND sequence > ?3), ?4
	WHERE true
	ON CONFLICT (id) DO NOTHING
	RETURNING stale
`;

const OPEN = 'SELECT id, body FROM events WHERE handled_at IS NULL AND stale = 0 ORDER BY subject_id, sequence';
const DONE = 'UPDATE events SET handled_at = ?2 WHERE id = ?1';

/** Stores events in a SQLite file. */
export function sqliteEventStore(file: string) {
	const database = new DatabaseSync(file);
	database.exec(TABLE);
	return {
		async keep(event: WebhookEvent, sequence: number): Promise<StoreResult> {
			const row = database.prepare(KEEP).get(event.id, event.data['id'] ?? '', sequence, JSON.stringify(event));
			if (row === undefined) return 'duplicate';
			return row['stale'] === 1 ? 'stale' : 'new';
		},
		/**
		 * Passes each stored event to `handle` and marks it as done when `handle` returns. If `handle` throws, the next run
		 * passes the event again.
		 */
		async work(handle: (event: WebhookEvent) => Promise<void>): Promise<void> {
			for (const { id, body } of database.prepare(OPEN).all()) {
				const event: WebhookEvent = JSON.parse(String(body));
				await handle(event);
				database.prepare(DONE).run(String(id), new Date().toISOString());
			}
		},
		close: () => database.close(),
	} satisfies EventStore & Record<string, unknown>;
}
