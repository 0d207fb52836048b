import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { freePortOf } from '../listen.ts';

export type Asked = {
	/** Method and path. */
	readonly line: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
};
/** The server's reaction to one request: a response, half a response, or nothing. */
export type Behaviour = (response: ServerResponse, asked: Asked) => void;

/** Answers with a status, a body and headers. */
export const says =
	(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Behaviour =>
	(response) =>
		void response.writeHead(status, headers).end(body);

/** A server on a free port that handles every request as the test sets. */
export async function startHostile(first: Behaviour) {
	let behaviour = first;
	const asked: Asked[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const body = Buffer.concat(chunks).toString();
			const heard = { line: `${request.method} ${request.url}`, headers: request.headers, body };
			asked.push(heard);
			behaviour(response, heard);
		});
	});
	const port = await freePortOf(server);
	return {
		url: `http://127.0.0.1:${port}`,
		/** All requests so far, oldest first. */
		asked,
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
export type Hostile = Awaited<ReturnType<typeof startHostile>>;
