import { once } from 'node:events';
import type { Server } from 'node:http';

export type Listening = { readonly origin: string; close(): Promise<void> };

/** Starts a server on a free port of this machine. */
export async function listen(server: Server): Promise<Listening> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('a TCP server was expected');
	return {
		origin: `http://localhost:${address.port}`,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
