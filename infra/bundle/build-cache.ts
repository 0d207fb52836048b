import { createHash } from 'node:crypto';
import {
	existsSync,
	globSync,
	linkSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const root = resolve(import.meta.dirname, '../..');
/**
 * The cache is below node_modules, so that `npm ci` removes every cached build: new packages may change the result of a
 * build.
 */
const CACHE = join(root, 'node_modules/.cache/call-back');
/** The files from which the bundles, the widget and the template are built. */
export const SOURCES: readonly string[] = [
	'{functions,shared,infra,packages/widget}/**/*',
	'local/{build-and-synth.ts,overrides.ts,deployment.config.json}',
	'{package,package-lock,tsconfig,cdk}.json',
	// GET /v1/openapi.json returns this file.
	'docs/openapi.json',
];
/** How many builds with the same name are kept: the current build and the previous one. */
const KEPT = 2;
const ASK_AGAIN_MS = 50;

export type Build = {
	readonly name: string;
	/** Fills an empty directory. The directory is moved afterwards, so its files must not contain the directory's path. */
	readonly make: (directory: string) => Promise<void>;
	/** Further files that affect the output of `make`, in addition to the product's sources. */
	readonly also?: readonly string[];
};

const building = new Map<string, Promise<string>>();

/**
 * Returns a directory that `make` has filled from the current sources. `make` runs only if there is no such directory yet.
 * The caller must not change the directory or keep its path, because later builds remove the oldest directories. If two
 * processes need the same build at once, `make` runs in only one of them.
 */
export function cachedBuild({ name, make, also = [] }: Build): Promise<string> {
	const directory = join(CACHE, `${name}-${sourcesKey(also)}`);
	const running = building.get(directory) ?? makeNew(directory, make).finally(() => building.delete(directory));
	building.set(directory, running);
	return running;
}

/** A hash of the sources and the version of Node.js. The hash changes with the path and the content of any source. */
function sourcesKey(also: readonly string[]): string {
	const hash = createHash('sha256').update(process.version);
	for (const file of globSync([...SOURCES, ...also], { cwd: root }).sort()) {
		const path = join(root, file);
		if (statSync(path).isFile()) hash.update(`\0${file}\0`).update(readFileSync(path));
	}
	return hash.digest('hex').slice(0, 16);
}

async function makeNew(directory: string, make: Build['make']): Promise<string> {
	mkdirSync(CACHE, { recursive: true });
	while (!existsSync(directory)) {
		if (claim(directory)) await fill(directory, make);
		else await wait(ASK_AGAIN_MS);
	}
	utimesSync(directory, new Date(), new Date());
	return directory;
}

const lockOf = (directory: string): string => `${directory}.lock`;

/**
 * Makes this process the only builder of the directory. Returns false if another process has claimed the directory. If that
 * process no longer runs, removes its claim, so that the next try can succeed.
 */
function claim(directory: string): boolean {
	const lock = lockOf(directory);
	const own = `${directory}.${process.pid}.lock`;
	writeFileSync(own, String(process.pid));
	try {
		// Use a link, because another process must not find an empty lock. A link has the content of `own` at once, but a
		// new file is empty until it is written.
		linkSync(own, lock);
		return true;
	} catch {
		if (!isRunning(lock)) rmSync(lock, { force: true });
		return false;
	} finally {
		rmSync(own);
	}
}

function isRunning(lock: string): boolean {
	try {
		return process.kill(Number(readFileSync(lock, 'utf8')), 0);
	} catch {
		return false;
	}
}

async function fill(directory: string, make: Build['make']): Promise<void> {
	const draft = `${directory}.draft`;
	try {
		// If an earlier process was killed while it built, its draft is still here. Remove that draft.
		rmSync(draft, { recursive: true, force: true });
		mkdirSync(draft);
		await make(draft);
		if (!existsSync(directory)) renameSync(draft, directory);
		forgetOldest(directory);
	} finally {
		rmSync(draft, { recursive: true, force: true });
		rmSync(lockOf(directory), { force: true });
	}
}

function forgetOldest(newest: string): void {
	const name = basename(newest).replace(/[0-9a-f]{16}$/, '');
	const builds = readdirSync(CACHE)
		.filter((entry) => entry.startsWith(name) && /^[0-9a-f]{16}$/.test(entry.slice(name.length)))
		.map((entry) => join(CACHE, entry))
		.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
	for (const old of builds.slice(KEPT)) rmSync(old, { recursive: true, force: true });
}
