import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = { readonly status: number; readonly body?: object };
type Ask = { readonly method: string; readonly path: string; readonly target: string; readonly body: string };

/** Starts a server on a free port of this machine. `stop` also closes its open connections. */
export async function serve(answer: (ask: Ask) => Answer | Promise<Answer>) {
	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(Buffer.from(chunk));
		const body = Buffer.concat(chunks).toString('utf8');
		const { method = '', url: path = '', headers } = request;
		const target = String(headers['x-amz-target'] ?? '');
		const { status, body: said = {} } = await answer({ method, path, target, body });
		response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(said));
	}
	const server = createServer((request, response) => {
		respond(request, response).catch(() => response.writeHead(500).end('{}'));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		async stop(): Promise<void> {
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}
