import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { promises, tables } from '../lab/promises.ts';
import { longRuns } from '../lab/runs.ts';

const lab = (...options: readonly string[]) =>
	spawnSync(process.execPath, ['test/lab/main.ts', ...options], { encoding: 'utf8' });

it('npm run lab lists each long run with a sentence and a duration', () => {
	const { stdout, status } = lab();
	expect(status).toBe(0);
	for (const [name, { what, takes }] of Object.entries(longRuns)) {
		expect(stdout).toContain(`${name}\n  ${what}\n  ${takes}`);
		expect(what).toMatch(/\.$/);
		expect(takes).toMatch(/\d+ (s|minutes?)|hours/);
	}
});

it('npm run lab -- <name> refuses an unknown name and lists the known names', () => {
	const { stderr, status } = lab('wrold');
	expect(stderr).toContain('no long run is called wrold; use one of promises, world, fuzz,');
	expect(status).toBe(2);
});

it('npm run lab -- world passes its options to the program, and returns the program’s exit code', () => {
	expect(lab('world', '--seed', '7', '--runs', '1', '--workers', '1')).toMatchObject({
		status: 0,
		stdout: expect.stringContaining('1 worlds'),
	});
	expect(lab('world', '--sead', '7').status).toBe(1);
});

it('each long run starts a program that exists', () => {
	const programs = Object.values(longRuns).flatMap(({ node: [file = ''], installs }) =>
		installs === undefined ? [file] : [`tools/${installs}/package.json`],
	);
	expect(programs.filter((file) => !existsSync(file))).toEqual([]);
});

/** A configuration of jest, as jest loads it. */
function configuration(file: string): {
	readonly testPathIgnorePatterns: readonly string[];
	readonly testMatch: readonly string[];
} {
	const print = `process.stdout.write(JSON.stringify((await import('./${file}')).default))`;
	return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', print], { encoding: 'utf8' }));
}

it('npm test leaves out the tests that only npm run lab -- promises runs, and no others', () => {
	const files = globSync('test/**/*.test.ts').map((file) => join(process.cwd(), file));
	const shortened = files.filter((file) => /from '.*spread-of\.ts'/.test(readFileSync(file, 'utf8')));
	expect(shortened.map((file) => file.replace(/.*\/test\/(.*)\.test\.ts$/, '$1')).sort()).toEqual([...tables]);
	const kept = files.filter((file) => promises.some((name) => file.endsWith(`/test/${name}.test.ts`)));
	expect(kept).toHaveLength(promises.length);
	const daily = configuration('test/jest.config.js');
	const later = configuration('test/promises.config.js');
	const own = daily.testPathIgnorePatterns.filter((pattern) => !later.testPathIgnorePatterns.includes(pattern));
	expect(files.filter((file) => own.some((pattern) => new RegExp(pattern).test(file)))).toEqual(kept);
	expect(later.testMatch).toEqual([...promises, ...tables].map((name) => `<rootDir>/test/${name}.test.ts`));
});

it('every long run that a document or a comment names exists', () => {
	const files = execFileSync('git', ['ls-files', '*.md', '*.ts'], { encoding: 'utf8' }).trim().split('\n');
	const texts = files
		.filter((file) => file !== 'CHANGELOG.md' && existsSync(file))
		.map((file) => readFileSync(file, 'utf8'));
	const named = texts.flatMap((text) =>
		[...text.matchAll(/npm run lab -- ([a-z][\w-]*)/g)].map(([, name = '']) => name),
	);
	expect(named.length).toBeGreaterThan(20);
	expect([...new Set(named)].filter((name) => !(name in longRuns))).toEqual([]);
	expect(globSync('test/lab/*.ts').length).toBeGreaterThan(1);
});
