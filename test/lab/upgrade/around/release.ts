import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { npmStart, type StackProgram } from '../../../support/stack/stack-process.ts';

const root = resolve(import.meta.dirname, '../../../..');
/** A folder that git ignores. It contains the release that was built last: building a release deletes the others. */
const BUILT = join(root, '.local/upgrade');
const INSTALLED = 'installed';

const Releases = z.array(z.object({ version: z.string(), commit: z.string() })).check(z.minLength(1));

/** A release on this machine: its checkout, with its own packages installed. */
export type Release = {
	readonly name: string;
	readonly folder: string;
	readonly program: StackProgram;
};
/** `missing`: why the release cannot be built here. */
export type Preparation = { readonly release: Release } | { readonly missing: string };

/** Today's code. */
export const today: Release = { name: 'today', folder: root, program: npmStart(root) };

/** The releases in docs/releases.json, oldest first. */
export const releases = (): z.infer<typeof Releases> =>
	Releases.parse(JSON.parse(readFileSync(join(root, 'docs/releases.json'), 'utf8')));

/** Builds a version or a commit in its own folder. Without `from`, builds the newest release. */
export function prepareRelease(from: string | undefined): Preparation {
	const known = releases();
	const named = from === undefined ? known.at(-1) : known.find(({ version }) => version === from.replace(/^v/, ''));
	const name = named?.commit ?? from ?? '';
	const commit = commitOf(name);
	if (commit === null) return { missing: `the commit ${name}: this clone's history does not have it` };
	const short = commit.slice(0, 12);
	const folder = join(BUILT, short);
	if (!existsSync(join(folder, INSTALLED))) {
		const failure = build(commit, folder);
		if (failure !== null) return { missing: failure };
	}
	const node = join(folder, 'node_modules/.bin/node');
	return { release: { name: named?.version ?? short, folder, program: npmStart(folder, node) } };
}

function commitOf(name: string): string | null {
	const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
	const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
	return status === 0 ? stdout.trim() : null;
}

/** Returns null if the release is built, or else what was missing. */
function build(commit: string, folder: string): string | null {
	// Each built release takes 800 MB of disk, so the others are deleted.
	for (const other of existsSync(BUILT) ? readdirSync(BUILT) : []) {
		rmSync(join(BUILT, other), { recursive: true, force: true });
	}
	mkdirSync(folder, { recursive: true });
	execFileSync('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, folder], { cwd: root });
	const ci = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, encoding: 'utf8' });
	if (ci.status !== 0) {
		const [why = `it ended with ${ci.status}`] = ci.stderr.match(/npm error .+/g) ?? [];
		return `the packages of that commit: npm ci failed (${why})`;
	}
	writeFileSync(join(folder, INSTALLED), '');
	return null;
}
