import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from '@jest/globals';
import { startDynamo } from '../../../local/aws/dynamodb.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const MODULE = new URL('../../../local/aws/dynamodb.ts', import.meta.url).href;
const directory = temporaryDirectory('dynamo-');
afterAll(() => rmSync(directory, { recursive: true }));

it('a process that cannot start the table’s stand-in says so, and ends', async () => {
	writeFileSync(join(directory, 'sh'), '#!/bin/sh\nexit 1\n', { mode: 0o700 });
	const script = `import { startDynamo } from '${MODULE}'; await startDynamo(process.argv[1]);`;
	// The script gets a PATH with a broken shell. It runs in a separate process, because a process looks for programs in its own
	// PATH.
	const args = ['--input-type=module', '--eval', script, join(directory, 'dynamodb.db')];
	const env = { ...process.env, PATH: directory };
	await expect(promisify(execFile)(process.execPath, args, { env })).rejects.toThrow('stand-in did not start');
});

/** The id of the dynoxide process that uses this file, from Linux's list of processes. */
function processOn(dbPath: string): number {
	const [pid] = readdirSync('/proc').filter((name) => {
		const [program = '', ...args] = /^\d+$/.test(name) ? commandOf(name) : [];
		return program.endsWith('dynoxide') && args.includes(dbPath);
	});
	return Number(pid);
}
function commandOf(pid: string): readonly string[] {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
	} catch {
		return [];
	}
}

/** Only Linux lists the processes of all programs as files. */
const itOnLinux = process.platform === 'linux' ? it : it.skip;

itOnLinux('the table’s stand-in is reported as dead when it dies by itself, and not when it is stopped', async () => {
	const first = join(directory, 'first.db');
	const second = join(directory, 'second.db');
	const killed = await startDynamo(first);
	const stopped = await startDynamo(second);
	let died = '';
	void killed.died.then(() => (died += 'killed'));
	void stopped.died.then(() => (died += 'stopped'));
	await stopped.stop();
	process.kill(processOn(first), 'SIGKILL');
	await killed.died;
	expect(died).toBe('killed');
	await killed.stop();
	expect([processOn(first), processOn(second)]).toEqual([Number.NaN, Number.NaN]);
});
