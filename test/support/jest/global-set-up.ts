import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { SEED } from './seed.ts';

/** Below node_modules, so that `npm ci` removes it. Node.js keeps an entry for each content of a file. */
const COMPILE_CACHE = resolve(import.meta.dirname, '../../../node_modules/.cache/node');

/** jest runs this once, before all tests. */
// biome-ignore lint/style/noDefaultExport: jest calls the default export
export default function globalSetUp(): void {
	process.stderr.write(`seed ${SEED}; to run on the same inputs again: SEED=${SEED} npm test -- FILE\n`);
	// Processes that tests start (the stack, the operator's commands, jest's own workers) find their modules compiled and
	// without types: half of the processor time until they run.
	process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE;
	// With one worker, jest runs the tests in this process.
	enableCompileCache(process.env['NODE_COMPILE_CACHE']);
}
