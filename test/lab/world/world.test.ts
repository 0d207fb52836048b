import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { deployments } from '../../support/phones/regions.ts';
import { mutated } from './hook.ts';
import { mutants } from './mutants.ts';

// Plays some worlds of docs/world.md. Each run has a process of its own, in which functions are loaded with ports in memory.

/**
 * In this many worlds, each fault that the test names happens, and each provider gets requests. many-worlds.test.ts plays ten
 * times as many worlds.
 */
const RUNS = 100;
const run = promisify(execFile);
const world = (...args: string[]) => run(process.execPath, ['test/lab/world/main.ts', '--workers', '2', ...args]);

describe('the world', () => {
	it(`keeps every rule of docs/world.md in ${RUNS} worlds`, async () => {
		const { stdout } = await world('--seed', '1', '--runs', String(RUNS));
		expect(stdout).toMatch(new RegExp(`^${RUNS} worlds, `));
		for (const fault of ['a process dies after a port call', 'a message is lost', 'the answer to a commit is lost'])
			expect(stdout).toContain(fault);
		for (const { host } of deployments) expect(stdout).toContain(`requests to ${host}`);
	});

	it('finds a broken rule, and shrinks it to the story of one seed', async () => {
		const failed = world('--seed', '1', '--runs', '10', '--mutant', 'dial before the claim');
		await expect(failed).rejects.toMatchObject({
			stdout: expect.stringMatching(/Broken in world \d+: .*\n( {2}.*\n)+npm run lab -- world/),
		});
	});

	it('has at least twenty mutants, and each mutant still changes one file of the product', () => {
		expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
		expect(mutants.length).toBeGreaterThanOrEqual(20);
		const sources = globSync('shared/**/*.ts');
		for (const mutant of mutants) {
			const files = sources.filter((file) => file.endsWith(mutant.file));
			expect([mutant.name, files.length]).toEqual([mutant.name, 1]);
			expect(mutated(readFileSync(files[0] ?? '', 'utf8'), mutant)).toContain(mutant.to);
		}
	});
});
