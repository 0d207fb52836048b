import { type MessagePort, parentPort } from 'node:worker_threads';
import { fauxqs } from './fauxqs.ts';

// Runs the queues' stand-in in its own thread, so that the polls and sends of ten functions do not slow down the gateway,
// the proxy and the phones.

/** A message to the thread: serves the queues in a directory, until the port receives a message. */
export type Start = { readonly directory: string; readonly socket: string; readonly port: MessagePort };
/** The port's answer. It closes when the queues have stopped, or could not start. */
export type ThreadMessage = 'listening' | { readonly failed: string };

async function serve({ directory, socket, port }: Start): Promise<void> {
	const say = (message: ThreadMessage): void => port.postMessage(message);
	try {
		const { app } = fauxqs(directory);
		await app.listen({ path: socket });
		port.once('message', () => void app.close().then(() => port.close()));
		say('listening');
	} catch (error) {
		say({ failed: String(error) });
		port.close();
	}
}

parentPort?.on('message', (start: Start) => void serve(start));
