import { parentPort, workerData } from 'node:worker_threads';
import { fauxqs } from './fauxqs.ts';

// The queues' stand-in in a thread of its own: receives and sends of ten functions take no turns from the gateway, the
// proxy and the phones. Says that it listens, and stops at the first message.

const { directory, socket }: { readonly directory: string; readonly socket: string } = workerData;
const { app } = fauxqs(directory);
await app.listen({ path: socket });
parentPort?.once('message', () => {
	void app.close().then(() => parentPort?.close());
});
parentPort?.postMessage('listening');
