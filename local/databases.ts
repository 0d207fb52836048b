import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { diskFault } from './disk.ts';
import { COPY_PREFIX } from './leftovers.ts';

/** The endings of the names of a SQLite database's files: the database itself, and the log of the newest writes. */
const FILES = ['', '-wal'];

/** Opens a copy of a database, so that the directory of the database is not changed. Null if the copy cannot be read. */
export function lookInto<T>(file: string, look: (database: DatabaseSync) => T): T | null {
	const folder = mkdtempSync(join(tmpdir(), COPY_PREFIX));
	const copy = join(folder, basename(file));
	try {
		for (const end of FILES) if (existsSync(file + end)) copyFileSync(file + end, copy + end);
		using database = new DatabaseSync(copy);
		return look(database);
	} catch (error) {
		if (diskFault(error) !== null) throw error;
		return null;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Whether every page of a database can be read. */
export const isWhole = (database: DatabaseSync): boolean =>
	database
		.prepare('PRAGMA quick_check')
		.all()
		.every(({ quick_check }) => quick_check === 'ok');

/** The names of the DynamoDB tables in dynoxide's database. Before the first table is created, there are none. */
export function tablesOf(database: DatabaseSync): readonly string[] {
	const own = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_tables'").all();
	if (own.length === 0) return [];
	return database
		.prepare('SELECT table_name FROM _tables')
		.all()
		.map(({ table_name }) => String(table_name));
}

/** The name of a table, quoted for SQL. */
export const quoted = (table: string): string => `"${table.replaceAll('"', '""')}"`;

/**
 * Whether one of the tables has this item. `pk` and `sk` are the keys in the form in which dynoxide stores them, with their
 * type in front.
 */
export const hasItem = (database: DatabaseSync, pk: string, sk: string): boolean =>
	tablesOf(database).some(
		(table) => database.prepare(`SELECT 1 FROM ${quoted(table)} WHERE pk = ? AND sk = ?`).all(pk, sk).length > 0,
	);
