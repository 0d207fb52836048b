import type { IncomingHttpHeaders } from 'node:http';
import { Pool } from 'undici';
import { REGION } from '../template.ts';

/** The address of a stand-in for AWS: a URL, or a Unix socket, which no web page can reach. */
export type StandIn = { readonly url: string } | { readonly socket: string };

/** The address of a stand-in that the user provides. Undefined if the stack starts a stand-in itself. */
export const standInEndpoint = (service: 'DYNAMODB' | 'SQS'): string | undefined =>
	process.env[`AWS_ENDPOINT_URL_${service}`] ?? process.env['AWS_ENDPOINT_URL'];

/** The configuration of the SDK's clients. The stand-ins accept any credentials, and have only one account and one region. */
export const LOCAL_CLIENT = {
	region: REGION,
	credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
} as const;

export type StandInResponse = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };
/**
 * Connections to a stand-in. These connections stay open. `post` sends to the root address of the stand-in, and rejects if
 * there is no answer.
 */
export type Connection = {
	post(headers: IncomingHttpHeaders, body: Buffer): Promise<StandInResponse>;
	close(): Promise<void>;
};

/**
 * Headers to pass on. Two kinds of headers are left out: headers that are about a single connection and must not be passed
 * on (RFC 9110, 7.6.1), and the length, which may change.
 */
function withoutHops(headers: IncomingHttpHeaders): IncomingHttpHeaders {
	const {
		connection: _connection,
		'keep-alive': _alive,
		'transfer-encoding': _coding,
		'content-length': _length,
		...headersToKeep
	} = headers;
	return headersToKeep;
}

/**
 * Connects to a stand-in. This function uses undici, because every request of a function uses such a connection, and undici
 * takes less processor time than `node:http`.
 */
export function lineTo(to: StandIn): Connection {
	const pool = 'url' in to ? new Pool(to.url) : new Pool('http://localhost', { socketPath: to.socket });
	return {
		async post(headers, body) {
			const response = await pool.request({ path: '/', method: 'POST', headers: withoutHops(headers), body });
			const responseBody = Buffer.from(await response.body.arrayBuffer());
			return { status: response.statusCode, headers: withoutHops(response.headers), body: responseBody };
		},
		close: () => pool.destroy(),
	};
}
