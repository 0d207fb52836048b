import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { logTime, sourceIp } from './http-event.ts';

// WebSocket API: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-route-keys-connect-disconnect.html

type Several = Readonly<Record<string, readonly string[]>>;

/** An id of a connection or a request in the form of API Gateway: `L0SM9cOFvHcCIhw=`. */
export const gatewayId = (): string => `${randomBytes(11).toString('base64url')}=`;

/** API Gateway consumes these headers and does not pass them on. */
const CONSUMED = new Set(['connection', 'upgrade']);

/** Each name with its values, in the order of the request. */
function together(pairs: Iterable<readonly [string, string]>): Several {
	const all = Map.groupBy(pairs, ([name]) => name);
	return Object.fromEntries([...all].map(([name, of_name]) => [name, of_name.map(([, value]) => value)]));
}

/** The last value of each name, as API Gateway gives it beside the lists of all. */
function lastOf(all: Several): Readonly<Record<string, string>> {
	return Object.fromEntries(Object.entries(all).map(([name, values]) => [name, values.at(-1) ?? '']));
}

/** The client's headers, whose names keep their case, and those that the gateway adds about its address and protocol. */
function headersOf(request: IncomingMessage): Several {
	const { rawHeaders } = request;
	const pairs = rawHeaders
		.flatMap((name, i) => (i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? ''] as const] : []))
		.filter(([name]) => !CONSUMED.has(name.toLowerCase()) && !name.toLowerCase().startsWith('x-forwarded-'));
	const before = [request.headers['x-forwarded-for'] ?? []].flat();
	return {
		...together(pairs),
		'X-Forwarded-For': [[...before, sourceIp(request)].join(', ')],
		'X-Forwarded-Port': [String(request.socket.localPort)],
		'X-Forwarded-Proto': ['http'],
	};
}

/** The stage of a WebSocket API, and a connection to it. */
export type Connecting = { readonly api_id: string; readonly stage: string; readonly connection_id: string };

/** Builds the event of the `$connect` route from the request for the handshake. */
export function connectEvent(
	request: IncomingMessage,
	{ api_id, stage, connection_id }: Connecting,
	now: Date,
): object {
	const [, search = ''] = (request.url ?? '/').split(/\?(.*)/s);
	const query = together(new URLSearchParams(search));
	const headers = headersOf(request);
	const userAgent = request.headers['user-agent'];
	const requestId = gatewayId();
	return {
		headers: lastOf(headers),
		multiValueHeaders: headers,
		...(Object.keys(query).length > 0 && {
			queryStringParameters: lastOf(query),
			multiValueQueryStringParameters: query,
		}),
		requestContext: {
			routeKey: '$connect',
			eventType: 'CONNECT',
			extendedRequestId: requestId,
			requestTime: logTime(now),
			messageDirection: 'IN',
			stage,
			connectedAt: now.getTime(),
			requestTimeEpoch: now.getTime(),
			identity: { ...(userAgent !== undefined && { userAgent }), sourceIp: sourceIp(request) },
			requestId,
			domainName: request.headers.host ?? 'localhost',
			connectionId: connection_id,
			apiId: api_id,
		},
		isBase64Encoded: false,
	};
}
