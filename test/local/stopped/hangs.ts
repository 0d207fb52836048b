import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from '@jest/globals';
import { startDynamo } from '../../support/aws/stand-ins.ts';

// The test run that test/local/stopped/stopped.test.ts stops in the middle. It has a stand-in, folders, and a process that
// ignores signals and has left the process group.

const STUBBORN = `process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000); console.log('there')`;

it('hangs', async () => {
	await startDynamo();
	const folder = mkdtempSync(join(tmpdir(), 'hangs-'));
	const stray = spawn(process.execPath, ['-e', STUBBORN], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
	await new Promise((resolve) => stray.stdout.once('data', resolve));
	process.stderr.write(`HANGS ${JSON.stringify({ folder, pid: stray.pid })}\n`);
	await new Promise(() => undefined);
});
