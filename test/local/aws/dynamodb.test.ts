import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { startDynamo } from '../../../local/aws/dynamodb.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const directory = temporaryDirectory('dynamo-');
afterEach(() => rmSync(directory, { recursive: true }));

it('the table’s stand-in says so if it cannot be started, and stops', async () => {
	writeFileSync(join(directory, 'sh'), '#!/bin/sh\nexit 1\n', { mode: 0o700 });
	process.env['PATH'] = directory;
	await expect(startDynamo(join(directory, 'dynamodb.db'))).rejects.toThrow('stand-in did not start');
});
