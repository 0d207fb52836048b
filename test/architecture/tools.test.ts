import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { temporaryDirectory } from '../support/temporary.ts';

// Tests tools/install.ts with a stand-in for npm, which takes some time and records each installation.

const run = promisify(execFile);
const INSTALLER = resolve('tools/install.ts');
const PARENT = resolve('tools/node_modules');
const NPM = '#!/bin/sh\npwd >> "$NPM_LOG"\nrm -rf node_modules\nsleep 0.5\nmkdir -p node_modules/tool\n';

let folder: string;
let temporary: string;
const log = () => join(temporary, 'npm.log');
const installations = () => (existsSync(log()) ? readFileSync(log(), 'utf8').trim().split('\n') : []);
const lockfile = (version: number) => writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ version }));
function useNpm(script: string): void {
	writeFileSync(join(temporary, 'npm'), script, { mode: 0o755 });
}
/** Runs several processes at the same time; returns the exit code of each. */
function install(processes: number): Promise<readonly number[]> {
	const env = { ...process.env, PATH: [temporary, process.env['PATH']].join(delimiter), NPM_LOG: log() };
	const args = [INSTALLER, join('node_modules', basename(folder))];
	return Promise.all(
		Array.from({ length: processes }, () =>
			run(process.execPath, args, { env }).then(
				() => 0,
				({ code }: { readonly code: number }) => code,
			),
		),
	);
}
beforeEach(() => {
	temporary = temporaryDirectory('tools-');
	mkdirSync(PARENT, { recursive: true });
	folder = mkdtempSync(join(PARENT, 'test-'));
	lockfile(1);
	useNpm(NPM);
});
afterEach(() => {
	for (const each of [temporary, folder, `${folder}.lock`]) rmSync(each, { recursive: true, force: true });
});

it('tools/install.ts installs the packages of a folder once if several processes need them at the same time', async () => {
	expect(await install(4)).toEqual([0, 0, 0, 0]);
	expect(installations()).toEqual([folder]);
	expect(existsSync(join(folder, 'node_modules/tool'))).toBe(true);
	lockfile(2);
	expect(await install(4)).toEqual([0, 0, 0, 0]);
	expect(installations()).toEqual([folder, folder]);
});

it('tools/install.ts lets the next process install the packages if one fails or is killed in the middle', async () => {
	useNpm('#!/bin/sh\nexit 1\n');
	expect(await install(2)).toEqual([1, 1]);
	useNpm(`${NPM}kill -9 $PPID\n`);
	expect(await install(1)).not.toEqual([0]);
	useNpm(NPM);
	expect(await install(2)).toEqual([0, 0]);
	expect(installations()).toEqual([folder, folder]);
});
