import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';

/** Makes a server listen on a free port of a local address. Returns the port. */
export async function freePortOf(server: Server, address = '127.0.0.1'): Promise<number> {
	server.listen(0, address);
	await once(server, 'listening');
	const bound = server.address();
	if (bound === null || typeof bound === 'string') throw new Error('a TCP server was expected');
	return bound.port;
}

export type Listening = { readonly origin: string; close(): Promise<void> };

/** Starts a web server on a free port. It listens on localhost, which browsers trust, unless `address` names another address. */
export async function listen(server: HttpServer, address?: string): Promise<Listening> {
	const port = await freePortOf(server, address);
	return {
		origin: `http://${address ?? 'localhost'}:${port}`,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
