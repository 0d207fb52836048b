import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { startStackProcess } from '../support/stack/stack-process.ts';

// What `npm start` prints for a person, with and without a terminal.

const directory = (): string => mkdtempSync(join(tmpdir(), 'call-back-start-'));

it('npm start prints each step as it begins, with the time since the start, and then that it is up', async () => {
	const stateDir = directory();
	const stack = await startStackProcess(stateDir, ['--port', '0']);
	try {
		const [before = ''] = stack.printed().split('\nThe stack is up');
		const lines = before.trimEnd().split('\n');
		expect(lines.filter((line) => !/^ {0,3}\d+\.\d s {2}[A-Z]/.test(line))).toEqual([]);
		const times = lines.map((line) => Number.parseFloat(line));
		expect(times).toEqual([...times].sort((a, b) => a - b));
		const words = lines.map((line) => line.replace(/^ *[\d.]+ s {2}/, '').replace(/\d+/, 'n'));
		const isBuilt = (line: string): boolean => !line.startsWith('Bundling') && !line.startsWith('Making the template');
		expect(words.filter(isBuilt)).toEqual([
			'Starting. A start with new code builds everything, which takes about half a minute.',
			'Opening the console and the webhook inbox',
			'Starting the table and the queues',
			'Deploying n resources on this machine',
			'Filling the demo shop with two weeks of calls',
		]);
	} finally {
		await stack.stop();
		rmSync(stateDir, { recursive: true, force: true });
	}
});

it('npm start says that it is starting before it loads the stack, which takes a second', async () => {
	const child = spawn(process.execPath, ['--input-type=module', '-e', UNTIL_STACK], { stdio: 'pipe' });
	let said = '';
	child.stdout.on('data', (chunk: Buffer) => {
		said += chunk.toString('utf8');
	});
	await once(child, 'exit');
	expect(said).toMatch(/^ +\d\.\d s {2}Starting\. .*\nloads the stack\n$/);
});

/** Runs local/start.ts until it loads the stack. */
const UNTIL_STACK = `
import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) {
	if (!url.endsWith('/local/stack.ts')) return next(url, context);
	console.log('loads the stack');
	process.exit(0);
} });
await import(${JSON.stringify(join(process.cwd(), 'local/start.ts'))});
`;

it.each([
	[0, 'the API'],
	[1, 'the console'],
	[2, 'the webhook inbox'],
])('npm start names the port that another program uses: %i after the first, for %s', async (after, use) => {
	const taken = createServer();
	taken.listen(0, 'localhost');
	await once(taken, 'listening');
	const address = taken.address();
	const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
	const first = port - after;
	const stateDir = directory();
	try {
		await expect(startStackProcess(stateDir, ['--port', `${first}`])).rejects.toThrow(
			`Port ${port}, for ${use}, is in use by another program. npm start takes four ports from --port on: choose others, such as --port ${first + 100}.`,
		);
	} finally {
		taken.close();
		rmSync(stateDir, { recursive: true, force: true });
	}
});
