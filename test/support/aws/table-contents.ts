import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { readOperatorEnv } from '../../../ops/connect.ts';
import { plainConfig } from '../../../shared/adapters/aws/client/account.ts';

/** The whole table of a stack, read through DynamoDB's API as an operator would, so that the reader works with any stand-in. */
export async function tableContents(stateDir: string): Promise<string> {
	const env = readOperatorEnv(JSON.parse(readFileSync(join(stateDir, 'operator.json'), 'utf8')));
	const client = new DynamoDBClient(plainConfig(env.AWS_ENDPOINT_URL_DYNAMODB, env));
	let contents = '';
	for await (const { Items } of paginateScan({ client }, { TableName: env.TABLE_NAME })) {
		contents += JSON.stringify(Items);
	}
	client.destroy();
	return contents;
}
