import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from '@jest/globals';
import { type LocalQueues, startQueues } from '../../../local/aws/queues.ts';

const MODULE = new URL('../../../local/aws/queues.ts', import.meta.url).href;
const directory = mkdtempSync(join(tmpdir(), 'queues-'));
const QUEUE = { id: 'q', properties: {}, metadata: {} };
let queues: LocalQueues;
afterEach(async () => {
	await queues.stop();
	rmSync(directory, { recursive: true, force: true });
});

/** Sends a message from another process, while this process blocks until the response. */
async function sendFromElsewhere(): Promise<string> {
	const script = `const sent = require('node:http').request({
		socketPath: process.argv[1], method: 'POST', path: '/',
		headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' },
	}, (answer) => process.stdout.write(String(answer.statusCode), () => process.exit(0)));
	sent.end(JSON.stringify({ QueueUrl: 'http://localhost/000000000000/q', MessageBody: 'hello' }));`;
	const socket = 'socket' in queues.at ? queues.at.socket : '';
	return (await promisify(execFile)(process.execPath, ['-e', script, socket])).stdout;
}

it('the queues take a message of another process, and keep it although another stack fails to start and the queues restart', async () => {
	queues = await startQueues(directory);
	await queues.create([QUEUE]);
	// A stack that cannot start must not disturb the running stack, and must leave nothing behind.
	const file = join(directory, 'a-file');
	writeFileSync(file, '');
	await expect(startQueues(file)).rejects.toThrow(`The queues' stand-in did not start on ${file}: `);
	// The name is short, because the path of a socket has a maximum length.
	const sockets = join(directory, 's');
	mkdirSync(sockets);
	const script = `import('${MODULE}').then(({ startQueues }) => startQueues(process.argv[1]));`;
	const args = ['--eval', script, file];
	const elsewhere = promisify(execFile)(process.execPath, args, { env: { ...process.env, TMPDIR: sockets } });
	await expect(elsewhere).rejects.toThrow('did not start');
	expect(readdirSync(sockets)).toEqual([]);
	expect(await sendFromElsewhere()).toBe('200');
	await queues.stop();
	queues = await startQueues(directory);
	const [message] = await queues.receive('q', 1, AbortSignal.timeout(20_000));
	expect(message?.Body).toBe('hello');
});
