import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { deployments } from '../../support/phones/regions.ts';

// Plays as many worlds as docs/world.md promises. world.test.ts plays only some of them.

const RUNS = 1000;
const run = promisify(execFile);

it(`the world keeps every rule of docs/world.md in ${RUNS} worlds`, async () => {
	const { stdout } = await run(process.execPath, [
		...['test/lab/world/main.ts', '--workers', '2', '--seed', '1', '--runs', String(RUNS)],
	]);
	expect(stdout).toMatch(new RegExp(`^${RUNS} worlds, `));
	for (const fault of ['a process dies after a port call', 'a message is lost', 'the answer to a commit is lost'])
		expect(stdout).toContain(fault);
	for (const { host } of deployments) expect(stdout).toContain(`requests to ${host}`);
});
