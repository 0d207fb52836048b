import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { dynoxideProgram } from '../../../local/aws/dynoxide.ts';
import { standInEndpoint } from '../../../local/aws/stand-in.ts';
import { hasBrowser } from '../browser/installed.ts';
import { hasEachCase } from '../spread-of.ts';
import { SEED } from './seed.ts';

/**
 * The folder is inside node_modules, so that `npm ci` removes it. Node.js adds an entry for each version of a file, so the
 * folder grows.
 */
const COMPILE_CACHE = resolve(import.meta.dirname, '../../../node_modules/.cache/node');

const MOST_BYTES = 100_000_000;

/** Deletes the cache when it has grown large with entries of old versions. */
function boundCompileCache(): void {
	if (!existsSync(COMPILE_CACHE)) return;
	const files = readdirSync(COMPILE_CACHE, { recursive: true, encoding: 'utf8' });
	const bytes = files.reduce(
		(sum, file) => sum + (statSync(join(COMPILE_CACHE, file), { throwIfNoEntry: false })?.size ?? 0),
		0,
	);
	if (bytes > MOST_BYTES) rmSync(COMPILE_CACHE, { recursive: true, force: true });
}

/** jest calls this once, before all tests. */
// biome-ignore lint/style/noDefaultExport: jest calls the default export
export default async function globalSetUp(): Promise<void> {
	const command = hasEachCase ? 'npm run lab -- promises' : 'npm test --';
	process.stderr.write(`seed ${SEED}; to run on the same inputs again: SEED=${SEED} ${command} FILE\n`);
	if (!(await hasBrowser())) process.stderr.write('browser tests: skipped\n');
	// Installs dynoxide once, here. Otherwise several workers would each spend seconds on the download.
	if (standInEndpoint('DYNAMODB') === undefined) dynoxideProgram();
	boundCompileCache();
	// All processes that tests start use the compile cache: the stack, the operator's commands and jest's own workers. The cache
	// contains compiled modules. Without the cache, these processes need twice the processor time before they are ready.
	process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE;
	// With one worker, jest runs the tests in this process, so it needs the cache, too.
	enableCompileCache(process.env['NODE_COMPILE_CACHE']);
}
