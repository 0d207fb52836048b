import { Scan$, type ScanCommandInput, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import { operation } from '../aws/client/operation.ts';
import { WORKER_BUDGET } from '../aws/client/retry.ts';
import { type DynamoEnv, dynamoClient } from './client.ts';
import { type Attributes, toRecord } from './items.ts';
import { records, table } from './table.ts';

const scan = operation<ScanCommandInput, ScanCommandOutput>(Scan$);

/** The workspaces on one page of the table, and how many records the page has. */
export type WorkspacePage = { readonly workspaces: readonly Workspace[]; readonly read: number };

/**
 * Every workspace, in no order. No index lists them, because only operators ask: this reads the whole table, half a
 * read unit for each 4 KiB.
 */
export async function* scanWorkspaces(env: DynamoEnv): AsyncGenerator<WorkspacePage> {
	const client = dynamoClient(env, { budget: WORKER_BUDGET });
	let from: Attributes | undefined;
	do {
		const page = await client.read(scan, {
			TableName: client.table,
			FilterExpression: 'begins_with(#pk, :prefix)',
			ExpressionAttributeNames: { '#pk': table.partition_key },
			ExpressionAttributeValues: marshall({ ':prefix': records.workspace.prefix }),
			...(from && { ExclusiveStartKey: from }),
		});
		const workspaces = (page.Items ?? []).map((item) => toRecord('workspace', item));
		yield { workspaces, read: page.ScannedCount ?? 0 };
		from = page.LastEvaluatedKey;
	} while (from);
}
