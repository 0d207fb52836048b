import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { definedFields } from '../../shared/domain/kernel/defined-fields.ts';

// HTTP API, payload format 2.0: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html

export type MatchedRoute = {
	readonly routeKey: string;
	readonly pathParameters: Readonly<Record<string, string>> | null;
};

/**
 * Bodies of these types are passed on as text. All other bodies are encoded as base64, including forms, `+json`, and bodies
 * without a type.
 */
const TEXT_TYPES = /^(text\/[^;]+|application\/(json|javascript|xml))\s*(;|$)/i;

export const sourceIp = (request: IncomingMessage): string =>
	(request.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, '');

/**
 * The client's headers without its cookies, and the headers in which the gateway passes on the client's address, the port and
 * the protocol. Headers with the same name are joined.
 */
function headersOf(request: IncomingMessage): Record<string, string> {
	const headers: Record<string, string> = {};
	for (let i = 0; i < request.rawHeaders.length; i += 2) {
		const name = (request.rawHeaders[i] ?? '').toLowerCase();
		const value = request.rawHeaders[i + 1] ?? '';
		if (name === 'cookie') continue;
		headers[name] = headers[name] === undefined ? value : `${headers[name]},${value}`;
	}
	const from = headers['x-forwarded-for'];
	headers['x-forwarded-for'] = from === undefined ? sourceIp(request) : `${from}, ${sourceIp(request)}`;
	headers['x-forwarded-port'] = String(request.socket.localPort);
	headers['x-forwarded-proto'] = 'http';
	return headers;
}

function queryOf(search: string): Record<string, string> | undefined {
	const query: Record<string, string> = {};
	for (const [name, value] of new URLSearchParams(search)) {
		query[name] = Object.hasOwn(query, name) ? `${query[name]},${value}` : value;
	}
	return Object.keys(query).length === 0 ? undefined : query;
}

function bodyOf(body: Buffer, type: string): { readonly body?: string; readonly isBase64Encoded: boolean } {
	if (body.length === 0) return { isBase64Encoded: false };
	// A text body that is not valid UTF-8 is encoded as base64, so that the function gets its original bytes.
	const text = TEXT_TYPES.test(type) && Buffer.from(body.toString('utf8'), 'utf8').equals(body);
	return { body: body.toString(text ? 'utf8' : 'base64'), isBase64Encoded: !text };
}

/** A time in the form `09/Nov/2026:12:00:00 +0000`. */
export function logTime(now: Date): string {
	const [weekday = '', day = '', month = '', year = '', time = ''] = now.toUTCString().replace(',', '').split(' ');
	return weekday === '' ? '' : `${day}/${month}/${year}:${time} +0000`;
}

/**
 * The path by which HTTP APIs choose a route and which they pass on to the function. Unlike in REST APIs, the path is decoded.
 */
export function pathOf({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
	const [path = '/'] = url.split('?', 1);
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}

export function httpEvent(request: IncomingMessage, body: Buffer, route: MatchedRoute, now: Date): object {
	const rawPath = pathOf(request);
	const [, rawQueryString = ''] = (request.url ?? '/').split(/\?(.*)/s);
	const headers = headersOf(request);
	const cookies = request.headers.cookie?.split('; ');
	const query = queryOf(rawQueryString);
	return {
		version: '2.0',
		routeKey: route.routeKey,
		rawPath,
		rawQueryString,
		headers,
		requestContext: {
			accountId: '000000000000',
			apiId: 'local',
			domainName: headers['host'] ?? 'localhost',
			domainPrefix: 'localhost',
			http: {
				method: request.method ?? 'GET',
				path: rawPath,
				protocol: `HTTP/${request.httpVersion}`,
				sourceIp: sourceIp(request),
				userAgent: headers['user-agent'] ?? '',
			},
			requestId: randomUUID(),
			routeKey: route.routeKey,
			stage: '$default',
			time: logTime(now),
			timeEpoch: now.getTime(),
		},
		...definedFields({ cookies, queryStringParameters: query, pathParameters: route.pathParameters ?? undefined }),
		...bodyOf(body, headers['content-type'] ?? ''),
	};
}

type FunctionResponse = {
	readonly statusCode?: unknown;
	readonly headers?: Readonly<Record<string, unknown>>;
	readonly cookies?: readonly string[];
	readonly body?: unknown;
	readonly isBase64Encoded?: boolean;
};

function isResponse(value: unknown): value is FunctionResponse {
	return typeof value === 'object' && value !== null && 'statusCode' in value;
}

/**
 * Writes the result of a function. An object with a `statusCode` is a response. Any other result becomes the body of a 200: a
 * text as it is, and everything else as JSON. If there is no result, or the response has a wrong form, the gateway answers 500.
 */
export function writeResponse(response: ServerResponse, result: unknown): void {
	if (!isResponse(result)) {
		if (result === undefined || result === null) {
			writeMessage(response, 500, 'Internal Server Error');
			return;
		}
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(typeof result === 'string' ? result : JSON.stringify(result));
		return;
	}
	const status = Number(result.statusCode);
	const fits = Number.isInteger(status) && status >= 100 && status <= 599;
	const body = result.body ?? '';
	if (!fits || typeof body !== 'string') {
		writeMessage(response, 500, 'Internal Server Error');
		return;
	}
	for (const [name, value] of Object.entries(result.headers ?? {})) response.setHeader(name, String(value));
	if (result.cookies) response.setHeader('set-cookie', [...result.cookies]);
	response.writeHead(status);
	response.end(result.isBase64Encoded === true ? Buffer.from(body, 'base64') : body);
}

/**
 * Writes a response of the gateway itself. The response has the gateway's request id, and not the request id of a function.
 */
export function writeMessage(response: ServerResponse, status: number, message: string): void {
	const headers = { 'content-type': 'application/json', 'apigw-requestid': randomUUID() };
	response.writeHead(status, headers).end(JSON.stringify({ message }));
}

/**
 * Refuses a request that Node.js passes on without a response object, because the request is not valid HTTP or asks for an
 * upgrade. Writes the gateway's response on the connection itself.
 */
export function refuseOnSocket(socket: Duplex, status: number): void {
	const reason = STATUS_CODES[status] ?? 'Unknown';
	const body = JSON.stringify({ message: reason });
	const head = [
		`HTTP/1.1 ${status} ${reason}`,
		'Content-Type: application/json',
		`Content-Length: ${Buffer.byteLength(body)}`,
		`Apigw-Requestid: ${randomUUID()}`,
		'Connection: close',
	];
	socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
