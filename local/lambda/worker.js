import { openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { constants, Script } from 'node:vm';
import { parentPort, threadId, workerData } from 'node:worker_threads';

// One instance of a function. As in Lambda, it is loaded once and then handles one request at a time. This file is
// JavaScript: for TypeScript, Node.js would load its type stripper in every thread, which takes 40 ms of processor time for
// each instance.

/** @typedef {{ event: unknown, context: { deadline_ms: number } }} Call */

/** @type {{ file: string, name: string, log_file: string, code_file: string | null }} */
const { file, name, log_file, code_file } = workerData;

// Node.js would send a thread's output through the main thread, which is the busiest. So the thread itself writes it to the
// log.
const log = openSync(log_file, 'a');
/** @param {string | Uint8Array} text */
const toLog = (text) => writeSync(log, String(text)) > 0;
process.stdout.write = toLog;
process.stderr.write = toLog;

/**
 * The file with the compiled code of this function, which an earlier instance has saved. Compiling takes as long as the rest
 * of a start.
 */
const codeFile = code_file === null ? null : `${code_file}-${cachedDataVersionTag()}`;
function readCode() {
	try {
		return codeFile === null ? undefined : readFileSync(codeFile);
	} catch {
		return undefined;
	}
}
const cachedData = readCode();
const script = new Script(
	`(function (exports, require, module, __filename, __dirname) {\n${readFileSync(file, 'utf8')}\n})`,
	// With this offset, errors name the right lines of the file.
	{ filename: file, lineOffset: -1, cachedData, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER },
);
const isKnown = cachedData !== undefined && !script.cachedDataRejected;
/** Saves the compiled code after the first request, because by then V8 has compiled what requests need. */
let keep = () => {
	keep = () => undefined;
	if (codeFile === null || isKnown) return;
	try {
		const draft = `${codeFile}.${process.pid}-${threadId}`;
		writeFileSync(draft, script.createCachedData());
		renameSync(draft, codeFile);
	} catch {
		// A later build has removed the folder, so there is nothing to do.
	}
};

/** @type {{ exports: Readonly<Record<string, (event: unknown, context: object) => Promise<unknown>>> }} */
const module = { exports: {} };
script.runInThisContext().call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
const exported = module.exports;
const handler = exported[name];
if (handler === undefined) throw new Error(`${file} exports no ${name}`);
if (handler.length > 2) throw new Error(`${name} of ${file} takes a callback, which Node.js 24 on Lambda refuses`);

parentPort?.on('message', (/** @type {Call} */ { event, context: { deadline_ms, ...known } }) => {
	const context = { ...known, getRemainingTimeInMillis: () => deadline_ms - Date.now() };
	Promise.resolve()
		.then(() => handler(event, context))
		// The result of a function is sent as JSON.
		.then((result) => parentPort?.postMessage({ result: JSON.stringify(result ?? null) }))
		.then(() => keep())
		.catch((error) => {
			console.error(error);
			parentPort?.postMessage({ error: error instanceof Error ? error.name : 'Error' });
		});
});
parentPort?.postMessage({ ready: true });
