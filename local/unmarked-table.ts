import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { records } from '../shared/adapters/dynamodb/table.ts';
import { COPY_PREFIX } from './leftovers.ts';

// A state directory without a marker is of the first release candidate, or of an earlier commit whose records have other fields.

const FILES = ['dynamodb.db', 'dynamodb.db-wal'];
/** What the first release candidate has in each of these records and the commits with other forms have not. */
const forms = {
	workspace: z.object({
		time_zone: z.string(),
		members_added: z.number(),
		team: z.array(z.object({ id: z.string() })),
		former_members: z.optional(z.array(z.object({ id: z.string() }))),
	}),
	desk_link: z.object({ invited_to: z.nullable(z.string()) }),
};
/** dynoxide’s: each key with its type before it. */
const Row = z.object({ pk: z.string(), item_json: z.string() });

export type UnmarkedTable = 'readable' | 'older' | 'another' | 'broken';

/** Looks into a copy of the table, so that the directory stays as it is. */
export function unmarkedTable(state_dir: string): UnmarkedTable {
	const copy = mkdtempSync(join(tmpdir(), COPY_PREFIX));
	try {
		for (const file of FILES) {
			if (existsSync(join(state_dir, file))) copyFileSync(join(state_dir, file), join(copy, file));
		}
		return judge(new DatabaseSync(join(copy, 'dynamodb.db')));
	} catch {
		return 'broken';
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
}

function judge(database: DatabaseSync): UnmarkedTable {
	const named = database
		.prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
		.all()
		.map(({ name }) => String(name));
	// The first start was killed before it had a table.
	if (!named.includes('_tables')) return 'readable';
	const tables = database
		.prepare('SELECT table_name FROM _tables')
		.all()
		.map(({ table_name }) => String(table_name));
	if (tables.length === 0) return 'readable';
	const rowsOf = (kind: keyof typeof forms) =>
		tables.flatMap((table) =>
			z
				.array(Row)
				.parse(
					database
						.prepare(`SELECT pk, item_json FROM "${table.replaceAll('"', '""')}" WHERE pk LIKE ?`)
						.all(`S:${records[kind].prefix}%`),
				),
		);
	const fits = (kind: keyof typeof forms): boolean =>
		rowsOf(kind).every(({ item_json }) => forms[kind].safeParse(unmarshall(JSON.parse(item_json))).success);
	if (!fits('workspace') || !fits('desk_link')) return 'older';
	const isEmpty = tables.every(
		(table) => database.prepare(`SELECT 1 FROM "${table.replaceAll('"', '""')}" LIMIT 1`).all().length === 0,
	);
	return isEmpty || rowsOf('workspace').length > 0 ? 'readable' : 'another';
}
