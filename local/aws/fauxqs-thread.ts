import { parentPort, workerData } from 'node:worker_threads';
import { fauxqs } from './fauxqs.ts';

// Runs the queues' stand-in in its own thread, so that the polls and sends of ten functions do not slow down the gateway,
// the proxy and the phones. Posts a message when it listens, and stops at the first message it receives.

const { directory, socket }: { readonly directory: string; readonly socket: string } = workerData;
const { app } = fauxqs(directory);
await app.listen({ path: socket });
parentPort?.once('message', () => {
	void app.close().then(() => parentPort?.close());
});
parentPort?.postMessage('listening');
