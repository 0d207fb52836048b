import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { records } from '../shared/adapters/dynamodb/table.ts';
import { lookInto, quoted, tablesOf } from './databases.ts';

// If a state directory does not say which form its records have, the directory comes from the first release candidate, or
// from an earlier commit whose records have other fields.

/** Fields that the records of the first release candidate have. Records of earlier commits do not have all of them. */
const forms = {
	workspace: z.object({
		time_zone: z.string(),
		members_added: z.number(),
		team: z.array(z.object({ id: z.string() })),
		former_members: z.optional(z.array(z.object({ id: z.string() }))),
	}),
	desk_link: z.object({ invited_to: z.nullable(z.string()) }),
};
/** A row of dynoxide's table. In each key, the type of the key comes first. */
const Row = z.object({ pk: z.string(), item_json: z.string() });

export type UnmarkedTable = 'readable' | 'older' | 'another' | 'broken';

/** What the table in a state directory contains. */
export const unmarkedTable = (stateDir: string): UnmarkedTable =>
	lookInto(join(stateDir, 'dynamodb.db'), judge) ?? 'broken';

function judge(database: DatabaseSync): UnmarkedTable {
	const tables = tablesOf(database);
	if (tables.length === 0) return 'readable';
	const rowsOf = (kind: keyof typeof forms) =>
		tables.flatMap((table) =>
			z
				.array(Row)
				.parse(
					database
						.prepare(`SELECT pk, item_json FROM ${quoted(table)} WHERE pk LIKE ?`)
						.all(`S:${records[kind].prefix}%`),
				),
		);
	const fits = (kind: keyof typeof forms): boolean =>
		rowsOf(kind).every(({ item_json }) => forms[kind].safeParse(unmarshall(JSON.parse(item_json))).success);
	if (!fits('workspace') || !fits('desk_link')) return 'older';
	const isEmpty = tables.every(
		(table) => database.prepare(`SELECT 1 FROM ${quoted(table)} LIMIT 1`).all().length === 0,
	);
	return isEmpty || rowsOf('workspace').length > 0 ? 'readable' : 'another';
}
