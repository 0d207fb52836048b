import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';

/** Where a stand-in of AWS listens: an address, or a socket in the file system, which no web page can reach. */
export type StandIn = { readonly url: string } | { readonly socket: string };

/** Posts to the stand-in's root; answers as soon as the head of the answer is there. Rejects when nothing answers. */
export function postTo(
	to: StandIn,
	headers: OutgoingHttpHeaders,
	body: string | Buffer,
	signal?: AbortSignal,
): Promise<IncomingMessage> {
	const url = new URL('url' in to ? to.url : 'http://localhost');
	const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
	const sent = request({
		method: 'POST',
		path: '/',
		...('url' in to ? { host: url.hostname, port: url.port } : { socketPath: to.socket }),
		headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) },
		...(signal && { signal }),
	});
	sent.on('response', resolve);
	sent.on('error', reject);
	sent.end(body);
	return promise;
}
