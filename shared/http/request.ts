import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Problem } from '../contract/kernel/problem.ts';

/** Maximum body size, in bytes. */
export const MAX_BODY_BYTES = 16 * 1024;
export const TOO_LARGE: Problem = {
	code: 'payload_too_large',
	detail: `A body may have at most ${MAX_BODY_BYTES} bytes.`,
};

export type Headers = Readonly<Record<string, string>>;

/** A request at the edge: the gateway's event, parsed once and never changed. */
export type HttpRequest = {
	readonly id: string;
	readonly method: string;
	readonly path: string;
	/** Lower-case names; repeated headers joined by a comma, as HTTP API payload format 2.0 gives them. */
	readonly headers: Readonly<Record<string, string | undefined>>;
	readonly query: Readonly<Record<string, string | undefined>>;
	readonly params: Readonly<Record<string, string | undefined>>;
	readonly source_ip: string;
	/** `name=value`; payload format 2.0 takes them out of the headers. */
	readonly cookies: readonly string[];
	/** The body's bytes; null if there is none. */
	readonly body: Buffer | null;
};

/** The fields of a form as the browser sends them. */
export type Fields = Readonly<Record<string, string>>;

/** The parts of a payload format 2.0 event that we read. */
export type RequestEvent = Pick<
	APIGatewayProxyEventV2,
	'rawPath' | 'headers' | 'cookies' | 'queryStringParameters' | 'pathParameters' | 'body' | 'isBase64Encoded'
> & {
	readonly requestContext: {
		readonly requestId: string;
		readonly http: { readonly method: string; readonly sourceIp: string };
	};
};

/** Reads a payload format 2.0 event (https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html). */
export function readRequest(event: RequestEvent): HttpRequest {
	return {
		id: event.requestContext.requestId,
		method: event.requestContext.http.method,
		path: event.rawPath,
		headers: event.headers,
		query: event.queryStringParameters ?? {},
		params: event.pathParameters ?? {},
		source_ip: event.requestContext.http.sourceIp,
		cookies: event.cookies ?? [],
		body: event.body ? Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8') : null,
	};
}
