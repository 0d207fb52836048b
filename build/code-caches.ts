import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

// `node --expose-gc build/code-caches.ts <directory>`: puts V8's code cache beside each `function.js` in it. V8 refuses a
// cache that was made under different flags. Lambda starts Node.js with this flag; flags that limit memory do not count.

/** Compile every function now, including those that V8 would compile at their first call. */
function codeCacheOf(filename: string): Buffer {
	setFlagsFromString('--no-lazy');
	const script = new Script(readFileSync(filename, 'utf8'), { filename });
	setFlagsFromString('--lazy');
	return script.createCachedData();
}

/** Writes the code cache of each `<name>/function.js` in a directory to `<name>/function.cache` in `outdir`. */
export function writeCodeCaches(directory: string, outdir: string): void {
	for (const file of globSync('*/function.js', { cwd: directory })) {
		const name = dirname(file);
		mkdirSync(join(outdir, name), { recursive: true });
		writeFileSync(join(outdir, name, 'function.cache'), codeCacheOf(join(directory, file)));
	}
}

if (import.meta.main) {
	const directory = resolve(process.argv[2] ?? '.');
	writeCodeCaches(directory, directory);
}
