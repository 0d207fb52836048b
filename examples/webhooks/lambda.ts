import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { dynamoDbEventStore } from './dynamodb-event-store.ts';
import type { EventStore } from './event-store.ts';
import { receiveWebhook } from './receive.ts';

/** The body as it was received. Function URLs and HTTP APIs encode a body as base64 if they do not recognise it as text. */
function rawBody({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): string | Uint8Array {
	return isBase64Encoded ? Buffer.from(body, 'base64') : body;
}

/**
 * A webhook receiver behind a Lambda function URL or an API Gateway HTTP API (payload format 2.0, in which header names are
 * in lower case).
 */
export function lambdaReceiver(options: { readonly secret: string; readonly store: EventStore }) {
	return async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
		const statusCode = await receiveWebhook({ body: rawBody(event), headers: event.headers }, options);
		return { statusCode };
	};
}

export const handler = lambdaReceiver({
	secret: process.env['WEBHOOK_SECRET'] ?? '',
	store: dynamoDbEventStore(new DynamoDBClient(), process.env['EVENTS_TABLE'] ?? ''),
});
