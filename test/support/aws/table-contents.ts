import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { readOperatorEnv } from '../../../ops/connect.ts';
import { plainConfig } from '../../../shared/adapters/aws/client/account.ts';
import { unpacked } from './wiretap.ts';

/** The whole table of a stack as an operator reads it over the wire, whatever keeps it; packed fields are also there in clear. */
export async function tableContents(state_dir: string): Promise<string> {
	const env = readOperatorEnv(JSON.parse(readFileSync(join(state_dir, 'operator.json'), 'utf8')));
	const client = new DynamoDBClient(plainConfig(env.AWS_ENDPOINT_URL_DYNAMODB, env));
	const base64 = (_: string, value: unknown): unknown =>
		value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
	let contents = '';
	for await (const { Items } of paginateScan({ client }, { TableName: env.TABLE_NAME })) {
		contents += unpacked(JSON.stringify(Items, base64));
	}
	client.destroy();
	return contents;
}
