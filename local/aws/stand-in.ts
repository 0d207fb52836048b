import type { IncomingHttpHeaders } from 'node:http';
import { Pool } from 'undici';
import { REGION } from '../template.ts';

/** Where a stand-in of AWS listens: a URL, or a Unix socket, which no web page can reach. */
export type StandIn = { readonly url: string } | { readonly socket: string };

/** The stand-in that the user provides instead of ours; undefined: ours. */
export const standInEndpoint = (service: 'DYNAMODB' | 'SQS'): string | undefined =>
	process.env[`AWS_ENDPOINT_URL_${service}`] ?? process.env['AWS_ENDPOINT_URL'];

/** Configuration of the SDK's clients. The stand-ins accept any credentials, and have one account and region. */
export const LOCAL_CLIENT = {
	region: REGION,
	credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
} as const;

export type StandInResponse = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };
/** Kept connections to a stand-in. `post` goes to its root, and rejects when nothing answers. */
export type Connection = {
	post(headers: IncomingHttpHeaders, body: Buffer): Promise<StandInResponse>;
	close(): Promise<void>;
};

/** Headers about one connection, which must not be passed on (RFC 9110, 7.6.1), and the length, which may change. */
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

/** With undici, which takes less processor time than `node:http`: every request of a function passes here. */
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
