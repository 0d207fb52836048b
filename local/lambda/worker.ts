import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

// One instance of a function, as Lambda runs it: loaded once, then one request at a time.

type Call = { readonly event: unknown; readonly context: { readonly deadline_ms: number } };
type Handler = (event: unknown, context: object) => Promise<unknown>;

const { file, name }: { readonly file: string; readonly name: string } = workerData;
const exported: Readonly<Record<string, Handler>> = createRequire(import.meta.url)(file);
const handler = exported[name];
if (handler === undefined) throw new Error(`${file} exports no ${name}`);
if (handler.length > 2) throw new Error(`${name} of ${file} takes a callback, which Node.js 24 on Lambda refuses`);

parentPort?.on('message', ({ event, context: { deadline_ms, ...known } }: Call) => {
	const context = { ...known, getRemainingTimeInMillis: () => deadline_ms - Date.now() };
	Promise.resolve()
		.then(() => handler(event, context))
		// What leaves a function is JSON.
		.then((result) => parentPort?.postMessage({ result: JSON.stringify(result ?? null) }))
		.catch((error: unknown) => {
			console.error(error);
			parentPort?.postMessage({ error: error instanceof Error ? error.name : 'Error' });
		});
});
parentPort?.postMessage({ ready: true });
