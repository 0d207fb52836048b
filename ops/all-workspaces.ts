import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { plainConfig } from '../shared/adapters/aws/client/account.ts';
import { WORKER_BUDGET } from '../shared/adapters/aws/client/client.ts';
import { toRecord } from '../shared/adapters/dynamodb/items.ts';
import { records, table } from '../shared/adapters/dynamodb/table.ts';
import type { Workspace } from '../shared/domain/workspaces/workspace.ts';
import type { TableEnv } from '../shared/env.ts';

type WorkspacePage = { readonly workspaces: readonly Workspace[]; readonly read: number };

/** Yields every workspace, in no particular order. This reads the whole table and costs half a read unit for each 4 KiB. */
export async function* allWorkspaces(env: TableEnv): AsyncGenerator<WorkspacePage> {
	const config = plainConfig(env.AWS_ENDPOINT_URL_DYNAMODB, env);
	const client = new DynamoDBClient({ ...config, maxAttempts: WORKER_BUDGET.tries });
	const pages = paginateScan(
		{ client },
		{
			TableName: env.TABLE_NAME,
			FilterExpression: 'begins_with(#pk, :prefix)',
			ExpressionAttributeNames: { '#pk': table.partition_key },
			ExpressionAttributeValues: marshall({ ':prefix': records.workspace.prefix }),
		},
	);
	for await (const { Items = [], ScannedCount = 0 } of pages) {
		yield { workspaces: Items.map((item) => toRecord('workspace', item)), read: ScannedCount };
	}
}
