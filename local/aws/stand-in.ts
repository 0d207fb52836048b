import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { REGION } from '../template.ts';

/** Where a stand-in of AWS listens: a URL, or a Unix socket, which no web page can reach. */
export type StandIn = { readonly url: string } | { readonly socket: string };

/** Configuration of the SDK's clients: the stand-ins take any credentials, and keep one account and region. */
export const LOCAL_CLIENT = {
	region: REGION,
	credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
} as const;

/** Posts to the stand-in's root; answers as soon as the head of the answer is there. Rejects when nothing answers. */
export function postTo(to: StandIn, headers: OutgoingHttpHeaders, body: Buffer): Promise<IncomingMessage> {
	const url = new URL('url' in to ? to.url : 'http://localhost');
	const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
	const sent = request({
		method: 'POST',
		path: '/',
		...('url' in to ? { host: url.hostname, port: url.port } : { socketPath: to.socket }),
		headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) },
	});
	sent.on('response', resolve);
	sent.on('error', reject);
	sent.end(body);
	return promise;
}
