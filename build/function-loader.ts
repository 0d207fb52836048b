import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

// `index.js` of every function. V8 uses the code cache (build/code-caches.ts) if the same V8 made it under the same flags.
// Otherwise it compiles the bundle as usual.

const filename = join(__dirname, 'function.js');
const cache = join(__dirname, 'function.cache');
const cachedData = existsSync(cache) ? readFileSync(cache) : undefined;
const run: (...scope: readonly unknown[]) => void = new Script(readFileSync(filename, 'utf8'), {
	filename,
	cachedData,
}).runInThisContext();
run(exports, require, module, filename, __dirname);
