import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { MEMORY } from '../../support/temporary.ts';

// A run of `npm test` that a person stops in the middle.

const CONFIG = {
	rootDir: process.cwd(),
	testMatch: [join(import.meta.dirname, 'hangs.ts')],
	transform: {},
	extensionsToTreatAsEsm: ['.ts'],
	cacheDirectory: 'node_modules/.cache/jest',
};

type Hanging = { readonly folder: string; readonly pid: number };

/** Starts a run whose only test hangs, and waits until it hangs. */
async function hangingRun() {
	const run = spawn(process.execPath, ['test/run.ts', '--config', JSON.stringify(CONFIG)], {
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	const ended = once(run, 'exit');
	const hangs = new Promise<Hanging>((resolve, reject) => {
		let said = '';
		run.stderr.on('data', (chunk: Buffer) => {
			said += chunk.toString('utf8');
			const [, facts] = /HANGS (.*)\n/.exec(said) ?? [];
			if (facts !== undefined) resolve(JSON.parse(facts));
		});
		void ended.then(() => reject(new Error(`the run ended: ${said}`)));
	});
	return { run, ended, ...(await hangs) };
}

/**
 * Whether a process runs. A process that has ended stays in the system's list of processes until its parent reads its exit
 * code. In a container without an init process, it stays forever.
 */
function isThere(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return !existsSync('/proc') || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
	} catch {
		return false;
	}
}

const foldersIn = (parent: string, name: string): readonly string[] =>
	existsSync(parent) ? readdirSync(parent).filter((each) => each === name) : [];

it.each(['SIGINT', 'SIGTERM'] as const)('npm test leaves no process and no folder when %s stops it', async (signal) => {
	const { run, ended, folder, pid } = await hangingRun();
	const name = dirname(folder).split('/').at(-1) ?? '';
	expect(isThere(pid)).toBe(true);
	expect(foldersIn(tmpdir(), name)).toEqual([name]);
	run.kill(signal);
	expect(await ended).toEqual([128 + constants.signals[signal], null]);
	expect(isThere(pid)).toBe(false);
	expect([...foldersIn(tmpdir(), name), ...foldersIn(MEMORY, name)]).toEqual([]);
});

it('the next run cleans up after a run that was killed an hour ago, and not after one that still runs', async () => {
	const killed = await hangingRun();
	const running = await hangingRun();
	const [name = '', other = ''] = [killed, running].map(({ folder }) => dirname(folder).split('/').at(-1));
	const there = () => [tmpdir(), MEMORY].flatMap((parent) => [...foldersIn(parent, name), ...foldersIn(parent, other)]);
	killed.run.kill('SIGKILL');
	await killed.ended;
	const old = new Date(Date.now() - 2 * 3_600_000);
	for (const each of [name, other])
		for (const parent of [tmpdir(), MEMORY])
			if (existsSync(join(parent, each))) utimesSync(join(parent, each), old, old);
	const next = spawn(process.execPath, ['test/lab/main.ts', 'world', '--runs', '1', '--workers', '1'], {
		stdio: 'ignore',
	});
	await once(next, 'exit');
	expect([...new Set(there())]).toEqual([other]);
	expect([killed.pid, running.pid].map(isThere)).toEqual([false, true]);
	running.run.kill('SIGTERM');
	await running.ended;
});
