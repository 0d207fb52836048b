import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A way to `target` that can lose every connection over it as a network does that has forgotten them: nothing is forwarded
 * any more, and neither side hears of it. Later connections work.
 */
export async function startSilentProxy(target: string) {
	const { hostname, port } = new URL(target);
	const open = new Set<Socket>();
	const server = createServer((near) => {
		const far = connect(Number(port), hostname);
		open.add(near);
		near.pipe(far).pipe(near);
		for (const socket of [near, far]) socket.on('error', () => socket.destroy());
		near.on('close', () => open.delete(near));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('no port');
	return {
		url: `http://127.0.0.1:${address.port}`,
		/** Loses the connections of now; how many there were. */
		loseConnections(): number {
			for (const near of open) {
				near.unpipe();
				near.removeAllListeners('data').resume();
			}
			return open.size;
		},
		async stop() {
			for (const near of open) near.destroy();
			server.close();
			await once(server, 'close');
		},
	};
}
