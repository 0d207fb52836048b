import { execFile } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { temporaryDirectory } from '../../support/temporary.ts';
import { programIn } from './cloud.ts';

const run = promisify(execFile);

it('a program of a virtual environment runs even if the folder of the environment was renamed', async () => {
	const directory = temporaryDirectory('environment-');
	const made = join(directory, 'made');
	const found = join(directory, 'found');
	mkdirSync(join(made, 'bin'), { recursive: true });
	// Node.js stands in for Python, because both skip the first line of a script.
	symlinkSync(process.execPath, join(made, 'bin/python'));
	writeFileSync(join(made, 'bin/emulator'), `#!${made}/bin/python\nconsole.log('up')\n`, { mode: 0o755 });
	renameSync(made, found);
	await expect(run(join(found, 'bin/emulator'))).rejects.toMatchObject({ code: 'ENOENT' });
	const [python, script] = programIn(found, 'emulator');
	expect((await run(python, [script])).stdout).toBe('up\n');
	rmSync(directory, { recursive: true });
});
