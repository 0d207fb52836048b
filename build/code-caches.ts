import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

// `node --expose-gc build/code-caches.ts <directory>`: puts V8's code cache beside each `function.js` in it. V8 refuses
// a cache that was made under other flags. Lambda starts Node.js with this one; those that limit the memory don't count.

/** Every function compiled, also those that V8 would leave until they are called. */
function codeCacheOf(filename: string): Buffer {
	setFlagsFromString('--no-lazy');
	const script = new Script(readFileSync(filename, 'utf8'), { filename });
	setFlagsFromString('--lazy');
	return script.createCachedData();
}

const directory = resolve(process.argv[2] ?? '.');
for (const file of globSync('*/function.js', { cwd: directory })) {
	const path = join(directory, file);
	writeFileSync(join(dirname(path), 'function.cache'), codeCacheOf(path));
}
