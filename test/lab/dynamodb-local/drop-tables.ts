import { DeleteTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll } from '@jest/globals';
import { testAws } from '../../support/aws/stand-ins.ts';

// Every test file starts with an empty DynamoDB Local, because all stacks use the same table name.

beforeAll(async () => {
	const client = new DynamoDBClient({
		region: testAws.AWS_REGION,
		endpoint: process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
		credentials: { accessKeyId: testAws.AWS_ACCESS_KEY_ID, secretAccessKey: testAws.AWS_SECRET_ACCESS_KEY },
	});
	for (;;) {
		const { TableNames = [] } = await client.send(new ListTablesCommand());
		if (TableNames.length === 0) break;
		for (const TableName of TableNames) await client.send(new DeleteTableCommand({ TableName }));
	}
	client.destroy();
});
