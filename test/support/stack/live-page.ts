import { once } from 'node:events';
import WebSocket from 'ws';

/** Opens a page's WebSocket. `status` is 101 where it is open, else what refused it. */
export async function openPage(url: string, origin: string) {
	const socket = new WebSocket(url, { origin });
	const { promise: opening, resolve } = Promise.withResolvers<number>();
	socket.once('open', () => resolve(101));
	socket.once('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode));
	socket.on('error', () => undefined);
	const status = await opening;
	return {
		status,
		socket,
		/** The next message. */
		told: async (): Promise<unknown> => JSON.parse(String((await once(socket, 'message'))[0])),
	};
}
