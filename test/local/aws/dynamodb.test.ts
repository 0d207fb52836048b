import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from '@jest/globals';
import { temporaryDirectory } from '../../support/temporary.ts';

const MODULE = new URL('../../../local/aws/dynamodb.ts', import.meta.url).href;
const directory = temporaryDirectory('dynamo-');
afterEach(() => rmSync(directory, { recursive: true }));

it('the table’s stand-in says so if it cannot be started, and stops', async () => {
	writeFileSync(join(directory, 'sh'), '#!/bin/sh\nexit 1\n', { mode: 0o700 });
	const script = `import { startDynamo } from '${MODULE}'; await startDynamo(process.argv[1]);`;
	// A process of its own, because a shell is found in the PATH that a process has.
	const args = ['--input-type=module', '--eval', script, join(directory, 'dynamodb.db')];
	const env = { ...process.env, PATH: directory };
	await expect(promisify(execFile)(process.execPath, args, { env })).rejects.toThrow('stand-in did not start');
});
