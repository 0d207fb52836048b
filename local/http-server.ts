import type { createServer, IncomingMessage, RequestListener } from 'node:http';
import { OperatorError } from '../ops/operator-error.ts';

/** The longest body that API Gateway accepts for HTTP APIs. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/**
 * Reads the whole body. Null if the body is too large. Rejects if the connection ends before the body does. This function
 * listens for events, because an async iterator over the body would double the time of a small request.
 */
export function readBody(request: IncomingMessage): Promise<Buffer | null> {
	const { promise, resolve, reject } = Promise.withResolvers<Buffer | null>();
	const chunks: Buffer[] = [];
	let size = 0;
	request.on('data', (chunk: Buffer) => {
		size += chunk.length;
		if (size <= MAX_BODY_BYTES) chunks.push(chunk);
	});
	request.once('end', () => resolve(size > MAX_BODY_BYTES ? null : Buffer.concat(chunks)));
	request.on('error', reject);
	return promise;
}

type Listening = Pick<
	ReturnType<typeof createServer>,
	'listen' | 'address' | 'once' | 'off' | 'close' | 'closeAllConnections'
>;

/**
 * Refuses a request whose target does not begin with a slash. Only proxies and `OPTIONS *` use such targets (RFC 9112
 * section 3.2). With such a target, a path could lead out of the folder or the route in which the path is looked up.
 */
export function pathsOnly(serve: RequestListener): RequestListener {
	return (request, response) => {
		if (request.url?.startsWith('/')) serve(request, response);
		else
			response.writeHead(400, { 'content-type': 'text/plain', connection: 'close' }).end('The target is not a path.');
	};
}

/**
 * Listens only on the loopback interface. With port 0, the server uses any free port. If the port is in use, the error says
 * what to do.
 */
export async function listen(
	server: Listening,
	port: number,
	host: 'localhost' | '127.0.0.1' = 'localhost',
): Promise<number> {
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	server.once('error', (error: NodeJS.ErrnoException) => {
		const portInUse = `Port ${port} is in use by another program; choose another with --port.`;
		reject(error.code === 'EADDRINUSE' ? new OperatorError(portInUse) : error);
	});
	server.listen(port, host, resolve);
	await promise;
	const address = server.address();
	return typeof address === 'object' && address !== null ? address.port : port;
}

/** Aborts open requests and closes the server. It is not an error to close a server twice. */
export async function close(server: Listening): Promise<void> {
	server.closeAllConnections();
	await new Promise<void>((resolve) => server.close(() => resolve()));
}
