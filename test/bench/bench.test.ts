import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

it('npm run bench prints every row with a figure, or why there is none', async () => {
	const { stdout } = await promisify(execFile)(process.execPath, ['bench/main.ts', '--quick']);
	const [, below = ''] = stdout.split(/^-[- ]*$/m);
	const rows = below.trim().split('\n');
	expect(rows).toHaveLength(17);
	for (const row of rows) expect(row).toMatch(/\d (ms|µs|KB|kB)|\d\/s|\d+(\.\d+)? \/ \d|no redis-server|needs ioredis/);
	expect(below).not.toContain('not measured');
}, 200_000);
