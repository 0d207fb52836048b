import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePortOf } from '../listen.ts';

/**
 * A proxy to `target` that can silently drop every connection, like a network that has lost its state: it stops forwarding, and
 * neither side notices. New connections work.
 */
export async function startSilentProxy(target: string) {
	const { hostname, port } = new URL(target);
	const open = new Set<Socket>();
	const inVain = new Set<Socket>();
	const server = createServer((near) => {
		const far = connect(Number(port), hostname);
		open.add(near);
		near.pipe(far).pipe(near);
		for (const socket of [near, far]) socket.on('error', () => socket.destroy());
		near.on('close', () => open.delete(near));
	});
	const ownPort = await freePortOf(server);
	return {
		url: `http://127.0.0.1:${ownPort}`,
		/** Silently drops all open connections. Returns how many there were. */
		loseConnections(): number {
			for (const near of open) {
				near.unpipe();
				near.removeAllListeners('data').on('data', () => inVain.add(near));
				near.resume();
			}
			return open.size;
		},
		/** How many of the dropped connections a client has used after they were dropped. */
		askedInVain: () => inVain.size,
		async stop() {
			for (const near of open) near.destroy();
			server.close();
			await once(server, 'close');
		},
	};
}
