import { createHash, randomUUID } from 'node:crypto';
import { DynamoDBClient, GetItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ulid } from 'ulid';
// biome-ignore lint/style/noRestrictedImports: as the usual stack imports it
import { z } from 'zod';

// `POST /widget/call-requests` on the usual stack: middy, zod, the AWS SDK's clients, esbuild with its defaults. This function
// does less than ours: it has no numbering plans, encrypted numbers, limits, deliveries or consent records. If DIAL_URL is set,
// the function also dials before it responds.

const dynamo = new DynamoDBClient({});
const sqs = new SQSClient({});
const { TABLE_NAME: TableName = '', QUEUE_URL_DIAL_LEGS: QueueUrl = '', DIAL_URL } = process.env;

const Body = z.object({
	workspace_key: z.string().min(1).max(100),
	phone: z.string().regex(/^\+[1-9]\d{6,14}$/),
	name: z.string().trim().min(1).max(100).optional(),
	consent: z.literal(true),
	page_url: z.url().max(2048),
});

async function item(pk: string, sk: string) {
	const { Item } = await dynamo.send(new GetItemCommand({ TableName, Key: { pk: { S: pk }, sk: { S: sk } } }));
	return Item ?? {};
}

const put = (pk: string, fields: Record<string, { readonly S: string }>) => ({
	Put: { TableName, Item: { pk: { S: pk }, sk: { S: 'USUAL' }, ...fields } },
});

async function run({ body: text = '{}', headers }: APIGatewayProxyEventV2) {
	const { workspace_key, phone } = Body.parse(JSON.parse(text));
	const key = await item(`WORKSPACE_KEY#${workspace_key}`, 'WORKSPACE_KEY');
	const workspace = await item(`WORKSPACE#${key['workspace_id']?.S ?? ''}`, 'WORKSPACE');
	const isAllowed = workspace['origins']?.L?.some(({ S }) => S === headers['origin']) ?? false;
	if (!isAllowed) return { statusCode: 403, body: '{"message":"origin"}' };
	const id = ulid();
	const created_at = { S: new Date().toISOString() };
	const hash = createHash('sha256').update(text).digest('hex');
	const TransactItems = [
		put(`CALL#${id}`, { status: { S: 'requested' }, phone: { S: phone }, created_at }),
		put(`EVENT#${id}`, { event: { S: 'call.requested' }, created_at }),
		put(`IDEMPOTENCY#${headers['idempotency-key'] ?? randomUUID()}`, { hash: { S: hash } }),
	];
	await dynamo.send(new TransactWriteItemsCommand({ TransactItems }));
	if (DIAL_URL !== undefined) await fetch(DIAL_URL, { method: 'POST', body: JSON.stringify({ to: phone }) });
	else await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify({ call_id: id }) }));
	const data = { id, status: 'requested', poll_after_ms: 1500 };
	return { statusCode: 202, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ data }) };
}

export const handler = middy<APIGatewayProxyEventV2>().handler(run);
