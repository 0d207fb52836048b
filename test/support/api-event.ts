import type { APIGatewayProxyEventV2 } from 'aws-lambda';

type Sent = {
	readonly path: string;
	/** The default is POST. */
	readonly method?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string | undefined;
	/** The path parameter `id`. */
	readonly id?: string | null;
	readonly from?: string;
};

/** A request as API Gateway passes it to a function. */
export function apiEvent({ path, method = 'POST', headers = {}, body, id = null, from = '192.0.2.1' }: Sent) {
	return {
		rawPath: path,
		rawQueryString: '',
		headers,
		...(id !== null && { pathParameters: { id } }),
		requestContext: { requestId: 'request-1', http: { method, path, sourceIp: from } },
		body,
		isBase64Encoded: false,
	} as unknown as APIGatewayProxyEventV2;
}
