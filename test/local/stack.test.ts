import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../local/aws/dynamodb.ts';
import { type Certificates, localCertificates } from '../../local/certificates.ts';
import type { Stack } from '../../local/stack.ts';
import type { Template } from '../../local/template.ts';
import { LIMITS, TEST_LIMITS } from '../../shared/adapters/https/sender.ts';
import { call, eventually, visitorBody } from '../support/stack/api.ts';
import { testStack } from '../support/stack/stack.ts';

type Json = Record<string, unknown>;

/** Longer than a test of an endpoint may take, and shorter than a delivery may take. */
const LATE_MS = (TEST_LIMITS.total_ms + LIMITS.total_ms) / 2;

/** A template with mistakes: get-call may not read calls, and the routes GET /v1/calls and $default are missing. */
function mistaken(template: Template): Template {
	const text = JSON.stringify(template);
	const copy: { Resources: Record<string, { Type: string; Properties: Json; Metadata?: Json }> } = JSON.parse(text);
	for (const [id, resource] of Object.entries(copy.Resources)) {
		if (resource.Type === 'AWS::ApiGatewayV2::Route' && resource.Properties['RouteKey'] === 'GET /v1/calls') {
			delete copy.Resources[id];
		}
		if (resource.Type === 'AWS::ApiGatewayV2::Route' && resource.Properties['RouteKey'] === '$default') {
			delete copy.Resources[id];
		}
	}
	const [getCall] = Object.values(copy.Resources).filter(
		(resource) => resource.Type === 'AWS::Lambda::Function' && resource.Metadata?.['function'] === 'get-call',
	);
	const [, role = ''] = /"Fn::GetAtt":\["(\w+)"/.exec(JSON.stringify(getCall?.Properties['Role'])) ?? [];
	const policies = JSON.stringify(copy.Resources[role]?.Properties['Policies']).replaceAll('CALL#*', 'NOTHING#*');
	if (copy.Resources[role]) copy.Resources[role].Properties['Policies'] = JSON.parse(policies);
	return copy;
}

let stack: Stack;
let certificates: Certificates;
let directory: string;
let receiver: ReturnType<typeof createServer>;
const received: { readonly body: string; readonly header: string }[] = [];
let receiverPort: number;

beforeAll(async () => {
	directory = mkdtempSync(join(tmpdir(), 'call-back-receiver-'));
	certificates = await localCertificates(directory);
	receiver = createServer({ key: certificates.key_pem, cert: certificates.cert_pem }, (request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			received.push({ body: Buffer.concat(chunks).toString(), header: String(request.headers['service-signature']) });
			const answer = () => response.writeHead(204).end();
			if (request.url === '/late') setTimeout(answer, LATE_MS).unref();
			else answer();
		});
	});
	receiverPort = await freePort();
	receiver.listen(receiverPort, '127.0.0.1');
	await once(receiver, 'listening');
	// The directory is inside the project, because `npm start` keeps its state there, too.
	mkdirSync('.local', { recursive: true });
	const state_dir = mkdtempSync(resolve('.local', 'test-'));
	const options = { state_dir, allow_webhook_hosts: [`localhost:${receiverPort}`], trust: certificates.ca_file };
	stack = await testStack(options, { alter: mistaken });
});
afterAll(async () => {
	await stack.stop();
	receiver.closeAllConnections();
	receiver.close();
	rmSync(directory, { recursive: true, force: true });
});

const key = () => ({ authorization: `Bearer ${stack.api_key}` });

async function askForCall(): Promise<string> {
	const headers = { origin: stack.allowed_origin };
	const answer = await call(stack.base_url, '/widget/call-requests', { body: visitorBody(stack), headers });
	expect(answer.status).toBe(202);
	return answer.json.data.id;
}

describe('the local stack follows the template', () => {
	it('a test of an endpoint that answers after 10 s times out after its own 5 s, not after the 15 s of a delivery', async () => {
		const body = { url: `https://localhost:${receiverPort}/late`, events: ['call.failed'] };
		const made = await call(stack.base_url, '/webhook-endpoints', { headers: key(), body });
		const path = `/webhook-endpoints/${made.json.data.id}/test`;
		const tested = await call(stack.base_url, path, { headers: key(), body: { event: 'call.failed' } });
		expect(tested.json.data).toMatchObject({ error: 'timeout', response_status: null });
		expect(tested.json.data.timings.total_ms).toBeGreaterThanOrEqual(TEST_LIMITS.total_ms - 100);
	});

	it('a function that lacks a permission gets AccessDenied, and the client does not see this', async () => {
		const id = await askForCall().catch(() => '01ARZ3NDEKTSV4RRFFQ69G5FAV');
		const denied = await call(stack.base_url, `/calls/${id}`, { headers: key() });
		expect([denied.status, denied.json.code]).toEqual([500, 'internal_error']);
		expect(denied.text).not.toMatch(/AccessDenied|dynamodb/i);
		const log = await eventually('the log names it', async () => {
			const text = readFileSync(join(stack.state_dir, 'logs', 'get-call.log'), 'utf8');
			return text.includes('AccessDeniedException') ? text : null;
		});
		expect(log).not.toContain(stack.api_key);
	});

	it('a route that was removed from the stack is a 404 of the gateway', async () => {
		const missing = await call(stack.base_url, '/calls', { headers: key() });
		expect([missing.status, missing.json]).toEqual([404, { message: 'Not Found' }]);
	});
});

it('a file in a state directory below the project runs as an ES module, like the files of the project', async () => {
	const folder = mkdtempSync(join(stack.state_dir, 'modules-'));
	const file = join(folder, 'example.ts');
	writeFileSync(file, "import { EOL } from 'node:os';\nprocess.stdout.write(typeof EOL);\n");
	const { stdout } = await promisify(execFile)(process.execPath, [file]);
	expect(stdout).toBe('string');
});

/** Runs `node local/start.ts` until it ends. */
async function run(...options: string[]) {
	return await new Promise<{ readonly code: unknown; readonly out: string; readonly said: string }>((resolve) => {
		execFile(process.execPath, ['local/start.ts', ...options], (error, out, said) =>
			resolve({ code: error?.code ?? 0, out, said }),
		);
	});
}

it('the console hides its keys from requests with another host name', async () => {
	const ask = async (host: string) => {
		const headers = { host, authorization: `Bearer ${stack.console_key}` };
		const asked = get(`${stack.console_url}/recent/`, { headers });
		const [response]: IncomingMessage[] = await once(asked, 'response');
		return { status: response?.statusCode, text: (await response?.toArray())?.join('') };
	};
	const { host } = new URL(stack.console_url);
	expect(await ask(host)).toMatchObject({ status: 200, text: expect.stringContaining(stack.api_key) });
	for (const other of ['rebound.example', `localhost.rebound.example:${host}`]) {
		expect(await ask(other)).toEqual({ status: 421, text: 'The console answers to localhost only.' });
	}
});

it('the console acts only for its own pages: another site that knows a call id cannot cancel the call', async () => {
	const known = { authorization: `Bearer ${stack.console_key}` };
	const post = async (headers: Record<string, string>, path = '/hang-up/01K9ZZZZZZZZZZZZZZZZZZZZZZ') =>
		(await fetch(`${stack.console_url}${path}`, { method: 'POST', headers: { ...known, ...headers } })).status;
	expect(await post({ origin: stack.console_url })).toBe(404);
	expect(await post({ origin: 'https://elsewhere.example' })).toBe(403);
	expect(await post({})).toBe(403);
	expect(await post({ origin: stack.console_url }, '/recent')).toBe(403);
});

it('npm start with --help prints the options and starts nothing', async () => {
	const { code, out, said } = await run('--help');
	expect(code).toBe(0);
	expect(out).toContain('--speed <n>');
	expect(said).toBe('');
});

describe('a stack that cannot start', () => {
	it('names in one sentence the port that is in use', async () => {
		const port = Number(new URL(stack.base_url).port);
		const { code, said } = await run('--port', String(port), '--state-dir', join(directory, 'other'));
		expect(code).toBe(1);
		expect(said).toBe(
			`Port ${port}, for the API, is in use by another program. npm start takes four ports from --port on: choose others, such as --port ${port + 100}.\n`,
		);
	});

	it.each([
		[['--prot', '1'], /unknown option '--prot'/],
		[['--port', 'x'], /'--port <n>' .* It takes a number from 0 to 65532/],
		[['--retry-schedule', 'soon'], /'--retry-schedule <0,1,2>' .* It takes seconds/],
		[['--allow-webhook-host', 'https://x'], /'--allow-webhook-host <host:port>' .* It takes host:port/],
	])('says in one sentence what is wrong with %j', async (options, words) => {
		const { code, said } = await run(...options);
		expect(code).toBe(2);
		expect(said).toMatch(words);
		expect(said).toContain('--state-dir <dir>');
	});

	it('names in one sentence the certificate authority that it cannot read', async () => {
		const state = join(directory, 'third');
		writeFileSync(join(directory, 'placeholder'), '');
		const { code, said } = await run('--port', '0', '--state-dir', state, '--trust', join(directory, 'none.pem'));
		expect([code, said]).toEqual([1, `--trust ${join(directory, 'none.pem')}: the file cannot be read\n`]);
	});
});
