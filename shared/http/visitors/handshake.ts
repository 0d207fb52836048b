import * as z from 'zod/mini';
import type { EdgeHandler } from '../pipeline.ts';

const Strings = z.record(z.string(), z.string());
/**
 * The event of a WebSocket API's `$connect` route
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-route-keys-connect-disconnect.html).
 */
const Handshake = z.object({
	headers: Strings,
	queryStringParameters: z.optional(z.nullable(Strings)),
	requestContext: z.object({
		connectionId: z.string(),
		requestId: z.string(),
		identity: z.object({ sourceIp: z.string() }),
	}),
});

/** Handles the opening of a WebSocket like a GET request: the query and the id of the connection are its parameters. */
export function fromHandshake(handler: EdgeHandler) {
	return (event: unknown, context: object) => {
		const { headers, queryStringParameters, requestContext } = Handshake.parse(event);
		const { connectionId: connection_id, requestId, identity } = requestContext;
		const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
		return handler(
			{
				rawPath: '/live',
				headers: Object.fromEntries(lower),
				pathParameters: { ...queryStringParameters, connection_id },
				requestContext: { requestId, http: { method: 'GET', sourceIp: identity.sourceIp } },
				isBase64Encoded: false,
			},
			context,
		);
	};
}
