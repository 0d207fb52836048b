import { openSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

// One instance of a function, as Lambda runs it: loaded once, then one request at a time. JavaScript, because Node.js
// would load its type stripper in every thread that starts from TypeScript: 40 ms of a processor for each instance.

/** @typedef {{ event: unknown, context: { deadline_ms: number } }} Call */

/** @type {{ file: string, name: string, log_file: string }} */
const { file, name, log_file } = workerData;

// A thread's output goes through the main thread, which has more to do than all others. So it is written here.
const log = openSync(log_file, 'a');
/** @param {string | Uint8Array} text */
const toLog = (text) => writeSync(log, String(text)) > 0;
process.stdout.write = toLog;
process.stderr.write = toLog;

/** @type {Readonly<Record<string, (event: unknown, context: object) => Promise<unknown>>>} */
const exported = createRequire(import.meta.url)(file);
const handler = exported[name];
if (handler === undefined) throw new Error(`${file} exports no ${name}`);
if (handler.length > 2) throw new Error(`${name} of ${file} takes a callback, which Node.js 24 on Lambda refuses`);

parentPort?.on('message', (/** @type {Call} */ { event, context: { deadline_ms, ...known } }) => {
	const context = { ...known, getRemainingTimeInMillis: () => deadline_ms - Date.now() };
	Promise.resolve()
		.then(() => handler(event, context))
		// What leaves a function is JSON.
		.then((result) => parentPort?.postMessage({ result: JSON.stringify(result ?? null) }))
		.catch((error) => {
			console.error(error);
			parentPort?.postMessage({ error: error instanceof Error ? error.name : 'Error' });
		});
});
parentPort?.postMessage({ ready: true });
