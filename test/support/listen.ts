import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';

/** Lets a server listen on a free port of 127.0.0.1; the port. */
export async function freePortOf(server: Server): Promise<number> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('a TCP server was expected');
	return address.port;
}

export type Listening = { readonly origin: string; close(): Promise<void> };

/** Starts a web server on a free port of this machine. */
export async function listen(server: HttpServer): Promise<Listening> {
	const port = await freePortOf(server);
	return {
		origin: `http://localhost:${port}`,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
