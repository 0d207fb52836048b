import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

// One instance of a function, as Lambda runs it: loaded once, then one request at a time.

type Call = { readonly event: unknown; readonly context: object };
type Handler = (event: unknown, context: object) => Promise<unknown>;

const { handler }: { readonly handler: Handler } = createRequire(import.meta.url)(workerData.file);

parentPort?.on('message', ({ event, context }: Call) => {
	Promise.resolve()
		.then(() => handler(event, context))
		.then((result) => parentPort?.postMessage({ result: result ?? null }))
		.catch((error: unknown) => {
			console.error(error);
			parentPort?.postMessage({ error: error instanceof Error ? error.name : 'Error' });
		});
});
parentPort?.postMessage({ ready: true });
