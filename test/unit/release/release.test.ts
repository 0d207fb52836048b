import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { SECTIONS } from '../../../tools/release/changelog.ts';
import { versionsIn } from '../../../tools/release/places.ts';
import { nextVersions } from '../../../tools/release/versions.ts';
import { firstRepository, type Repository, repository, tryRelease } from './repository.ts';

// Tests `npm run release` in small repositories.

const ADDED = '\n### Added\n- `GET /calls` has `reference`.\n';
const first = firstRepository();
afterAll(first.remove);
const made: Repository[] = [];
function repositoryWith(changelog: string): Repository {
	const small = repository(first, changelog);
	made.push(small);
	return small;
}
afterEach(() => {
	for (const { remove } of made.splice(0)) remove();
});
/** Everything that a release may change in a repository. */
const stateOf = ({ root, git }: Repository) => ({
	head: git('rev-parse', 'HEAD'),
	branch: git('symbolic-ref', 'HEAD'),
	status: git('status', '--porcelain', '--ignored'),
	checkouts: git('worktree', 'list').split('\n').length,
	files: readdirSync(root).sort(),
});

describe('a release', () => {
	it('makes one commit with the version everywhere, and a second commit with the samples of the first', () => {
		const small = repositoryWith(ADDED);
		const { result, commands } = tryRelease(small, {});
		const [samples = '', released = ''] = small.git('log', '-2', '--format=%H').split('\n');
		const short = released.slice(0, 8);
		expect(result).toEqual({ outcome: 'released', tag: `git tag -a v1.1.0 -m 'Release 1.1.0' ${short}` });
		expect(commands).toEqual([
			'npm run check',
			'npm test',
			'npm run upgrade -- --needed',
			'second checkout: node tools/generate/openapi.ts',
			'second checkout: node tools/generate/client-methods.ts',
			`second checkout: node test/upgrade/write.ts ${short}`,
			'second checkout: npm test -- test/upgrade test/unit/upgrade test/openapi',
			'second checkout: npm run lab -- promises test/upgrade test/openapi/breaking-changes',
		]);
		expect([...new Set([...versionsIn(small.root).values()].flat())]).toEqual(['1.1.0']);
		expect(small.read('docs/openapi.released.json')).toContain("'1.1.0'");
		expect(small.read('CHANGELOG.md')).toBe(
			`# Changelog\n\n## Unreleased\n\n## 1.1.0 - 2026-11-29\n${ADDED}\n## 0.9.0 - 2026-11-01\n\n### Added\n- Calls.\n`,
		);
		const list: readonly unknown[] = JSON.parse(small.read('docs/releases.json'));
		expect(list.slice(1)).toEqual([{ version: '1.1.0', commit: short }]);
		expect(small.git('show', '--name-only', '--format=', samples).split('\n')).toEqual([
			'docs/releases.json',
			`test/upgrade/releases/${short}/items.jsonl`,
		]);
		expect(stateOf(small)).toMatchObject({ head: samples, branch: 'refs/heads/main', status: '', checkouts: 1 });
	});

	it('can be rehearsed: both commits are shown, nothing is checked and nothing remains', () => {
		const small = repositoryWith(ADDED);
		const before = stateOf(small);
		const { result, commands, lines } = tryRelease(small, { isRehearsal: true });
		expect(result).toEqual({ outcome: 'rehearsed' });
		expect(commands.filter((command) => command.startsWith('npm run'))).toEqual([]);
		expect(lines.join('\n')).toMatch(/would run: npm run check\n.*Keep samples.*Release 1\.1\.0\n.*CHANGELOG\.md/s);
		expect(stateOf(small)).toEqual(before);
	});

	it('can be followed by the next release', () => {
		const small = repositoryWith(ADDED);
		tryRelease(small, {});
		small.write(
			'CHANGELOG.md',
			small.read('CHANGELOG.md').replace('Unreleased\n', 'Unreleased\n\n### Fixed\n- A call.\n'),
		);
		small.commit('Mend');
		const { result, commands } = tryRelease(small, { version: '1.1.1' });
		expect(result).toMatchObject({ outcome: 'released' });
		// A shop may skip 1.1.0, so the command also upgrades from the oldest release.
		const [oldest] = JSON.parse(small.read('docs/releases.json'));
		expect(commands.slice(2, 4)).toEqual([
			'npm run upgrade -- --needed',
			`npm run upgrade -- --needed --from ${oldest.commit} --seeds 0`,
		]);
		expect(JSON.parse(small.read('docs/releases.json'))).toHaveLength(3);
	});
});

describe('a release is refused and changes nothing', () => {
	it.each<[string, RegExp, Parameters<typeof tryRelease>[1], (small: Repository) => void]>([
		['a changed file', /not clean/, {}, ({ write }) => write('docs/client.md', 'other')],
		['a file that git does not have', /not clean/, {}, ({ write }) => write('notes.txt', 'mine')],
		['a version that leaves a gap', /use 1\.1\.0 or 1\.1\.0-rc\.1 or 2\.0\.0/, { version: '1.2.0' }, () => {}],
		['a version that is too small for an addition', /does not follow/, { version: '1.0.1' }, () => {}],
		['the version of the last release', /does not follow/, { version: '1.0.0' }, () => {}],
		['a text that is no version', /does not follow/, { version: 'v1.1' }, () => {}],
		['a tag that exists', /the tag v1\.1\.0 exists/, {}, ({ git }) => git('tag', 'v1.1.0')],
		['a failing check', /npm run check failed/, { fails: /^npm run check/ }, () => {}],
		['a failing test', /npm test failed/, { fails: /^npm test$/ }, () => {}],
		['a failing upgrade', /upgrade -- --needed failed/, { fails: /upgrade --/ }, () => {}],
		['a generator that fails', /client-methods/, { fails: /client-methods/ }, () => {}],
		['samples that cannot be written', /samples of .* not written/, { fails: /write\.ts/ }, () => {}],
		['samples that today’s code does not read', /tests of the samples/, { fails: /^npm test --/ }, () => {}],
		['samples that the next release would lack', /tests of the samples/, { fails: /lab -- promises/ }, () => {}],
	])('for %s', (_, because, options, prepare) => {
		const small = repositoryWith(ADDED);
		prepare(small);
		const before = stateOf(small);
		expect(tryRelease(small, options).result).toEqual({ outcome: 'refused', because: expect.stringMatching(because) });
		expect(stateOf(small)).toEqual(before);
	});

	it('without an entry in the changelog', () => {
		const small = repositoryWith('\n### Added\n');
		expect(tryRelease(small, {}).result).toMatchObject({
			because: expect.stringContaining('no entry under Unreleased'),
		});
	});

	it.each(['newest', 'oldest'])('in a clone without the commit of the %s release, before any check', (lacks) => {
		const small = repositoryWith(ADDED);
		const other = { version: lacks === 'newest' ? '1.0.0' : '0.9.0', commit: '0123abcd' };
		const own = { version: '1.0.0', commit: small.git('rev-parse', 'HEAD') };
		small.write('docs/releases.json', JSON.stringify(lacks === 'newest' ? [own, other] : [other, own]));
		small.commit('List a commit of another clone');
		const { result, commands } = tryRelease(small, {});
		expect(result).toMatchObject({ because: expect.stringMatching(/no commit 0123abcd .*git fetch --unshallow/) });
		expect(commands).toEqual([]);
	});

	it('if git cannot commit, and shows what git says', () => {
		const small = repositoryWith(ADDED);
		small.write('.git/hooks/pre-commit', '#!/bin/sh\necho "the author is unknown" >&2\nexit 1\n');
		small.git('config', 'core.hooksPath', join(small.root, '.git/hooks'));
		chmodSync(join(small.root, '.git/hooks/pre-commit'), 0o755);
		const before = stateOf(small);
		expect(tryRelease(small, {}).result).toMatchObject({ because: expect.stringContaining('the author is unknown') });
		expect(stateOf(small)).toEqual(before);
	});

	it('if the branch changed during the checks', () => {
		const small = repositoryWith(ADDED);
		const meanwhile = () => small.write('docs/client.md', 'other');
		expect(tryRelease(small, { meanwhile }).result).toMatchObject({
			because: expect.stringContaining('changed during'),
		});
		expect(small.git('log', '--format=%s')).toBe('Change\nBegin');
	});
});

it.each([
	['1.0.0-rc.1', 'breaking', ['1.0.0', '1.0.0-rc.2']],
	['1.0.0', 'fix', ['1.0.1', '1.0.1-rc.1', '1.1.0', '1.1.0-rc.1', '2.0.0', '2.0.0-rc.1']],
	['1.9.3', 'addition', ['1.10.0', '1.10.0-rc.1', '2.0.0', '2.0.0-rc.1']],
	['1.9.3', 'breaking', ['2.0.0', '2.0.0-rc.1']],
] as const)('after %s, a change of the kind "%s" allows the versions %j', (last, change, next) => {
	expect(nextVersions(last, change)).toEqual(next);
});

describe('this repository', () => {
	it('has one version everywhere', () => {
		const versions = versionsIn('.');
		expect(new Set([...versions.values()].flat()).size).toBe(1);
		expect([...versions.keys()]).toEqual(
			expect.arrayContaining([
				'package.json',
				'package-lock.json',
				...['cdk', 'client', 'widget'].map((name) => `packages/${name}/package.json`),
				'shared/contract/openapi/version.ts',
				'docs/client.md',
				'docs/widget-reference.md',
				'packages/cdk/README.md',
			]),
		);
		expect(versions.get('package-lock.json')).toHaveLength(2);
	});

	it('lists each release with its samples, and the newest release has the version of the packages', () => {
		const list: readonly { readonly version: string; readonly commit: string }[] = JSON.parse(
			readFileSync('docs/releases.json', 'utf8'),
		);
		expect(readdirSync('test/upgrade/releases').sort()).toEqual(list.map(({ commit }) => commit).sort());
		expect(versionsIn('.').get('package.json')).toEqual([list.at(-1)?.version]);
		expect(existsSync(`test/upgrade/releases/${list.at(-1)?.commit}/template.json`)).toBe(true);
	});

	it('has a changelog by version, newest first, with four kinds of entries', () => {
		const changelog = readFileSync('CHANGELOG.md', 'utf8');
		const [first, ...versions] = [...changelog.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
		expect(first).toBe('Unreleased');
		expect(versions.filter((heading) => !/^\d+\.\d+\.\d+(-rc\.\d+)? - \d{4}-\d\d-\d\d$/.test(heading))).toEqual([]);
		const sections = [...changelog.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
		expect(sections.filter((section) => !SECTIONS.some((known) => known === section))).toEqual([]);
	});
});
