import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { freePortOf } from './listen.ts';

export type Asked = {
	readonly method: string;
	readonly path: string;
	/** Method and path of the request. */
	readonly line: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
};
/** How the server reacts to one request: with a response, half a response, or nothing. */
export type Behaviour = (response: ServerResponse, asked: Asked) => void;

/** A behaviour that responds with this status, body and headers. */
export const says =
	(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Behaviour =>
	(response) =>
		void response.writeHead(status, headers).end(body);

/** A server on a free port. The test sets how it reacts to requests. */
export async function startScripted(first: Behaviour) {
	let behaviour = first;
	const asked: Asked[] = [];
	let connections = 0;
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const body = Buffer.concat(chunks).toString();
			const { method = '', url: path = '', headers } = request;
			const heard = { method, path, line: `${method} ${path}`, headers, body };
			asked.push(heard);
			behaviour(response, heard);
		});
	});
	server.on('connection', () => {
		connections += 1;
	});
	const port = await freePortOf(server);
	return {
		port,
		url: `http://127.0.0.1:${port}`,
		/** All requests so far, oldest first. */
		asked,
		/** How many connections were opened so far. */
		connections: () => connections,
		behave(next: Behaviour) {
			behaviour = next;
			asked.length = 0;
		},
		async stop() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
export type Scripted = Awaited<ReturnType<typeof startScripted>>;
