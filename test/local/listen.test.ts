import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from '../../local/aws/dynamodb.ts';
import { says, startScripted } from '../support/scripted-server.ts';
import { call, visitorBody } from '../support/stack/api.ts';
import { suiteStack } from '../support/stack/suite-stack.ts';

// Tests `npm run listen` and `npm run trigger` with a running stack and an unmodified example from examples/.

const stack = suiteStack({ retry_schedule: '0,600' });

type Program = ChildProcessByStdio<null, Readable, Readable>;
const programs: Program[] = [];
afterEach(async () => {
	for (const program of programs.splice(0)) {
		if (program.exitCode !== null || program.signalCode !== null) continue;
		program.kill('SIGKILL');
		await once(program, 'close');
	}
});

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}, command = process.execPath): Program {
	const program = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
	programs.push(program);
	return program;
}

const addressOf = (port: number) => ['--forward-to', `http://127.0.0.1:${port}`, '--state-dir', stack.state_dir];

/** Runs `listen` and collects its output line by line. */
const listen = (port: number, ...more: readonly string[]) =>
	listenBy(start(['local/listen/listen.ts', ...addressOf(port), '--json', ...more]));

async function listenBy(program: Program) {
	let noted = '';
	program.stderr.on('data', (chunk: Buffer) => {
		noted += chunk.toString('utf8');
	});
	const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
	const next = async () => {
		const { value } = await lines.next();
		if (value === undefined) throw new Error(`listen ended: ${noted}`);
		return JSON.parse(value);
	};
	return { program, started: await next(), next };
}

async function run(command: 'listen' | 'trigger', ...args: readonly string[]) {
	const line = [`local/listen/${command}.ts`, ...args, '--state-dir', stack.state_dir];
	return new Promise<{ readonly code: unknown; readonly out: string; readonly err: string }>((resolve) => {
		execFile(process.execPath, line, (error, out, err) => resolve({ code: error?.code ?? 0, out, err }));
	});
}
const trigger = async (...args: readonly string[]) => JSON.parse((await run('trigger', '--json', ...args)).out);

const headers = () => ({ authorization: `Bearer ${stack.api_key}` });
const endpoints = async (): Promise<readonly { readonly id: string; readonly status: string }[]> =>
	(await call(stack.base_url, '/webhook-endpoints', { headers: headers() })).json.data;

describe('npm run listen', () => {
	it('forwards deliveries unchanged to a shipped example, which verifies each of them', async () => {
		const port = await freePort();
		const { started, next } = await listen(port, '--events', 'call.completed,callback.requested');
		expect(started).toMatchObject({
			forward_to: `http://127.0.0.1:${port}/webhooks`,
			events: ['call.completed', 'callback.requested'],
			secret: expect.stringMatching(/^whsec_/),
		});
		const file = join(stack.state_dir, 'events.db');
		const env = { WEBHOOK_SECRET: started.secret, PORT: String(port), EVENTS_FILE: file };
		await once(start(['examples/webhooks/express.ts'], env).stdout, 'data');

		const sample = await trigger('call.completed');
		expect(sample).toMatchObject({ endpoint_id: started.endpoint_id, response_status: 204, error: null });
		expect(await next()).toMatchObject({ event: 'call.completed', status: 204, error: null, attempt: 1 });

		const lead = await call(stack.base_url, '/widget/callback-leads', {
			body: visitorBody(stack, { phone: '+12025550133' }),
			headers: { origin: stack.allowed_origin },
		});
		expect(lead.status).toBe(201);
		const forwarded = await next();
		expect(forwarded).toMatchObject({ event: 'callback.requested', status: 204, duration_ms: expect.any(Number) });
		const delivery = await call(stack.base_url, `/webhook-deliveries/${forwarded.delivery_id}`, { headers: headers() });
		const database = new DatabaseSync(file, { readOnly: true });
		const kept = database
			.prepare('SELECT id FROM events')
			.all()
			.map(({ id }) => id);
		database.close();
		expect(kept).toContain(delivery.json.data.event_id);
		expect(kept).toHaveLength(2);
	});

	it('returns the receiver’s status, and 502 if the receiver does not answer', async () => {
		const receiver = await startScripted(says(429, 'as it is', { 'retry-after': '7' }));
		const { program, next } = await listen(receiver.port);
		expect(await trigger('call.failed')).toMatchObject({ response_status: 429, error: 'http_status' });
		expect(await next()).toMatchObject({ event: 'call.failed', status: 429 });
		expect(receiver.asked).toMatchObject([
			{
				path: '/webhooks',
				body: expect.stringMatching(/^\{"id":.*"event":"call.failed"/),
				headers: { 'user-agent': 'Call-Back-Webhooks/1' },
			},
		]);
		await receiver.stop();
		const failed = await run('trigger', '--json', 'call.failed');
		const response_body = `npm run listen: no answer from http://127.0.0.1:${receiver.port}/webhooks (ECONNREFUSED)`;
		expect([failed.code, JSON.parse(failed.out)]).toMatchObject([1, { response_status: 502, response_body }]);
		expect(await next()).toMatchObject({ status: 502, error: 'ECONNREFUSED' });

		program.kill('SIGINT');
		expect(await once(program, 'close')).toEqual([0, null]);
	});

	it('prints lines that people can read, the secret and "Ready" first, also without a terminal', async () => {
		const answers = [204, 500];
		const receiver = await startScripted((response, sent) => says(answers.shift() ?? 204, '')(response, sent));
		const target = `http://127.0.0.1:${receiver.port}`;
		const { stdout } = start(['local/listen/listen.ts', ...addressOf(receiver.port), '--events', 'call.completed']);
		const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
		const next = async (): Promise<unknown> => (await lines.next()).value;
		expect(await next()).toMatch(/^WEBHOOK_SECRET=whsec_[\w+/=]+$/);
		expect(await next()).toBe(`Ready: call.completed -> ${target}/webhooks`);
		for (let line = await next(); line !== ''; ) line = await next();
		while ((await next()) !== '');
		expect((await run('trigger', 'call.completed')).out).toMatch(/^call\.completed -> 204, [\d.]+ ms\n$/);
		expect(await next()).toMatch(/^\d\d:\d\d:\d\d {2}call\.completed -> 204, \d+ ms$/);
		expect((await run('trigger', 'call.completed')).code).toBe(1);
		expect(await next()).toMatch(/call\.completed -> 500, \d+ ms, attempt 1, retried later, delivery \w+$/);
		await receiver.stop();
		const { code, out } = await run('trigger', 'call.completed');
		expect([code, out]).toEqual([
			1,
			expect.stringMatching(/\nIts answer: npm run listen: no answer from \S+ \(ECONNREFUSED\)\n$/),
		]);
		expect(await next()).toMatch(/call\.completed -> no answer \(ECONNREFUSED\), \d+ ms, attempt 1, retried later/);
	});

	it.each(['SIGINT', 'SIGTERM'] as const)(
		'disables its endpoint at %s; the next run has the same secret',
		async (signal) => {
			const { program, started } = await listen(9);
			// A press of Ctrl-C arrives twice: npm passes it on to the program, which got it from the terminal already.
			program.kill(signal);
			setTimeout(() => program.kill(signal), 3);
			expect(await once(program, 'close')).toEqual([0, null]);
			const own = async () => (await endpoints()).find(({ id }) => id === started.endpoint_id)?.status;
			expect(await own()).toBe('disabled');
			expect(await run('trigger', 'call.completed')).toMatchObject({
				code: 1,
				err: '"npm run listen" is not running. Start it, or name an endpoint with --endpoint.\n',
			});
			const next = await listen(9, '--events', 'call.failed');
			expect(next.started).toEqual({ ...started, events: ['call.failed'] });
			expect(await own()).toBe('enabled');
		},
	);

	it('disables its endpoint when npm, which runs it, gets SIGTERM', async () => {
		const { program, started } = await listenBy(
			start(['run', '-s', 'listen', '--', '--json', ...addressOf(9)], {}, 'npm'),
		);
		program.kill('SIGTERM');
		await once(program, 'close');
		expect((await endpoints()).find(({ id }) => id === started.endpoint_id)?.status).toBe('disabled');
	});

	it('uses the endpoint of a killed run again, and refuses to run twice', async () => {
		const killed = await listen(9);
		killed.program.kill('SIGKILL');
		await once(killed.program, 'close');
		const before = await endpoints();
		const { started } = await listen(9);
		expect(started).toEqual(killed.started);
		expect(await endpoints()).toHaveLength(before.length);
		const second = await run('listen', '--forward-to', 'http://localhost:9');
		expect([second.code, second.err]).toEqual([1, expect.stringContaining('does another "npm run listen" run')]);
	});

	it.each([
		[
			['--forward-to', 'https://localhost:1'],
			/'--forward-to <url>' .* It takes an address such as http:\/\/localhost:8080\./,
		],
		[
			['--forward-to', 'http://localhost:1', '--events', 'call.done'],
			/'--events <types>' .* It takes event types separated by commas/,
		],
	])('refuses %j', async (args, why) => {
		expect(await run('listen', ...args)).toMatchObject({ code: 2, err: expect.stringMatching(why) });
	});
});

it.each([
	'http://localhost:8080/hook',
	'https://localhost:8080/hook',
	'https://127.0.0.1:8443/',
	'https://db.internal/',
])('the refusal of %s says how webhooks reach this machine', async (url) => {
	const body = { url, events: ['call.completed'] };
	const { status, json } = await call(stack.base_url, '/webhook-endpoints', { headers: headers(), body });
	expect([status, json.code]).toEqual([422, 'webhook_url_not_allowed']);
	expect(json.detail).toContain('npm run listen -- --forward-to');
	expect(json.detail).toContain('--allow-webhook-host');
});
