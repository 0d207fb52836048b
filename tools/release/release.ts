import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { SECTIONS, unreleased, withRelease } from './changelog.ts';
import { withVersion } from './places.ts';
import { gitHas, gitIn, secondCheckout } from './repository.ts';
import { nextVersions } from './versions.ts';

/** Runs a program in a folder. True if it ended with exit code 0. */
type Run = (folder: string, program: string, ...args: readonly string[]) => boolean;
export type Request = {
	readonly root: string;
	readonly version: string;
	/** The day of the release, such as `2026-11-29`. */
	readonly day: string;
	/** A rehearsal makes the release without the checks, shows it and deletes it. */
	readonly isRehearsal: boolean;
	readonly run: Run;
	readonly say: (line: string) => void;
};
export type Outcome =
	| { readonly outcome: 'refused'; readonly because: string }
	| { readonly outcome: 'rehearsed' }
	| { readonly outcome: 'released'; readonly tag: string };

const CHANGELOG = 'CHANGELOG.md';
const LIST = 'docs/releases.json';
const SAMPLES = 'test/upgrade/releases';
const Releases = z.array(z.object({ version: z.string(), commit: z.string() })).check(z.minLength(1));
const SHORT = 8;

type Command = readonly [program: string, ...args: string[]];
const UPGRADE = ['npm', 'run', 'upgrade', '--', '--needed'] as const;

/**
 * The checks that a release has to pass. The fastest comes first. A shop may skip versions, so a stack is also upgraded from the
 * oldest release, which reads the fewest forms. The samples stand for the releases in between.
 */
function checksOf(releases: z.infer<typeof Releases>): readonly Command[] {
	const [oldest, ...later] = releases;
	return [
		['npm', 'run', 'check'],
		['npm', 'test'],
		UPGRADE,
		...(oldest && later.length > 0 ? [[...UPGRADE, '--from', oldest.commit, '--seeds', '0'] as const] : []),
	];
}

/** Tests that compare this release with earlier releases. The second command is not part of `npm test`. */
const SAMPLE_TESTS: readonly Command[] = [
	['npm', 'test', '--', 'test/upgrade', 'test/unit/upgrade', 'test/openapi'],
	['npm', 'run', 'lab', '--', 'promises', 'test/upgrade', 'test/openapi/breaking-changes'],
];

const refused = (because: string): Outcome => ({ outcome: 'refused', because });
const listIn = (folder: string) => Releases.parse(JSON.parse(readFileSync(join(folder, LIST), 'utf8')));

/**
 * Makes a release of the commit that is checked out. A release consists of two commits. The first commit writes the
 * version, and the release's tag belongs to this commit. The second commit adds samples of what the release's code writes.
 * Both commits are made in a second checkout, and the branch gets the commits only at the end. So a failure or a kill
 * before that does not change the branch.
 */
export function release(request: Request): Outcome {
	const { root, version, isRehearsal, run, say } = request;
	const git = gitIn(root);
	const fault = faultBefore(request);
	if (fault !== null) return refused(fault);
	const before = git('rev-parse', 'HEAD');
	for (const [program, ...args] of checksOf(listIn(root))) {
		const command = [program, ...args].join(' ');
		if (isRehearsal) say(`would run: ${command}`);
		else if (!run(root, program, ...args)) return refused(`${command} failed`);
	}
	if (git('rev-parse', 'HEAD') !== before || !isClean(root)) return refused('the tree changed during the checks');
	using checkout = secondCheckout(root);
	const made = attempt(() => makeCommits(checkout.folder, request));
	if ('because' in made) return refused(made.because);
	say(git('log', '--stat=100', '--format=%n%h %s', `${before}..${made.last}`));
	if (isRehearsal) return { outcome: 'rehearsed' };
	if (!gitHas(root, 'merge', '--ff-only', '--quiet', made.last))
		return refused(`the branch cannot be moved forward to the release. To merge it: git merge --ff-only ${made.last}`);
	return {
		outcome: 'released',
		tag: `git tag -a v${version} -m 'Release ${version}' ${made.released.slice(0, SHORT)}`,
	};
}

const isClean = (root: string): boolean => gitIn(root)('status', '--porcelain') === '';

/** Why this tree cannot be released with this version. Null if the tree can be released. */
function faultBefore({ root, version }: Request): string | null {
	if (!isClean(root)) return 'the tree is not clean: commit, stash or remove what git status shows';
	const releases = listIn(root);
	const [oldest, last] = [releases.at(0), releases.at(-1)];
	if (oldest === undefined || last === undefined) return `${LIST} is empty`;
	const { entries, change } = unreleased(readFileSync(join(root, CHANGELOG), 'utf8'));
	if (entries === 0) return `${CHANGELOG} has no entry under Unreleased (sections: ${SECTIONS.join(', ')})`;
	const next = nextVersions(last.version, change);
	if (!next.includes(version))
		return `${version} does not follow ${last.version}: with a ${change} in the changelog, use ${next.join(' or ')}`;
	if (gitHas(root, 'rev-parse', '--verify', '--quiet', `refs/tags/v${version}`)) return `the tag v${version} exists`;
	const missing = [last, oldest].find(
		({ commit }) => !gitHas(root, 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`),
	);
	if (missing !== undefined)
		return `this clone has no commit ${missing.commit} of ${missing.version} (git fetch --unshallow brings the history)`;
	return null;
}

/**
 * Makes the release. If a git command fails, for example because a commit has no author, returns why the release cannot be
 * made.
 */
function attempt(make: () => Made): Made {
	try {
		return make();
	} catch (error) {
		return { because: error instanceof Error ? error.message.trim() : String(error) };
	}
}

type Made = { readonly released: string; readonly last: string } | { readonly because: string };

function makeCommits(folder: string, { version, day, run }: Request): Made {
	const git = gitIn(folder);
	const node = (...args: readonly string[]): boolean => run(folder, process.execPath, ...args);
	for (const { file, text } of withVersion(folder, version)) writeFileSync(join(folder, file), text);
	const changelog = join(folder, CHANGELOG);
	writeFileSync(changelog, withRelease(readFileSync(changelog, 'utf8'), version, day));
	for (const generator of ['openapi', 'client-methods'])
		if (!node(`tools/generate/${generator}.ts`)) return { because: `tools/generate/${generator}.ts failed` };
	copyFileSync(join(folder, 'docs/openapi.json'), join(folder, 'docs/openapi.released.json'));
	git('commit', '--quiet', '--all', '-m', `Release ${version}`, '-m', `${CHANGELOG} says what it brings.`);
	const released = git('rev-parse', 'HEAD');
	const commit = released.slice(0, SHORT);
	if (!node('test/upgrade/write.ts', commit)) return { because: `the samples of ${commit} were not written` };
	const list = [...listIn(folder), { version, commit }];
	writeFileSync(join(folder, LIST), `${JSON.stringify(list, null, '\t')}\n`);
	git('add', LIST, SAMPLES);
	const why = 'What this release stored, sent and handed out has to keep working from now on.';
	git('commit', '--quiet', '-m', `Keep samples of what release ${version} writes`, '-m', why);
	// The second commit has added the samples of this release. So the tests now compare what this release stores with the
	// samples of earlier releases. They also compare the API with docs/openapi.released.json.
	const passed = SAMPLE_TESTS.every(([program, ...args]) => run(folder, program, ...args));
	if (!passed) return { because: 'the tests of the samples failed' };
	return { released, last: git('rev-parse', 'HEAD') };
}
