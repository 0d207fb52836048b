import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Stack } from '../../local/stack.ts';
import { type OpsDeps, operatorDeps, readOperatorEnv } from '../../ops/connect.ts';
import { DEFAULT_LIMITS } from '../../shared/domain/workspace.ts';
import { createWorkspace } from '../../shared/use-cases/create-workspace.ts';
import { type Answer, call, visitorBody } from '../support/api.ts';
import { testStack } from '../support/stack.ts';

const OTHER_ORIGIN = 'https://other.example';

let stack: Stack;
let ops: OpsDeps;
/** Another customer, with limits of 1. */
let other: { readonly workspace_key: string; readonly workspace_id: string; readonly allowed_origin: string };

beforeAll(async () => {
	stack = await testStack();
	ops = await operatorDeps(readOperatorEnv(JSON.parse(readFileSync(join(stack.state_dir, 'operator.json'), 'utf8'))));
	const limits = { ...DEFAULT_LIMITS, requests_per_workspace_per_window: 1 };
	const made = await createWorkspace(
		{ name: 'Other', region: 'US', origins: [OTHER_ORIGIN], team: ['+13125550101'], limits },
		ops,
	);
	if ('refused' in made) throw new Error(made.refused);
	const { id: workspace_id, workspace_key } = made.workspace;
	other = { workspace_id, workspace_key, allowed_origin: OTHER_ORIGIN };
}, 60_000);
afterAll(() => stack.stop());

let numbers = 0;
/** A number that nobody has called yet: one live call for each. */
const freshPhone = () =>
	`+1${[202, 203, 205, 206, 207, 208, 209, 210, 212, 213][numbers % 10]}55501${String((numbers++ % 80) + 20)}`;

const ask = (changes: object = {}, headers: Record<string, string> = {}, site = stack): Promise<Answer> => {
	const body = visitorBody(site, { phone: freshPhone(), ...changes });
	return call(stack.base_url, '/widget/call-requests', { body, headers: { origin: site.allowed_origin, ...headers } });
};
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const read = (path: string, key = stack.api_key) => call(stack.base_url, path, { headers: bearer(key) });

function expectProblem(answer: Answer, status: number, code: string): void {
	expect([answer.status, answer.json.code]).toEqual([status, code]);
	expect(answer.headers.get('content-type')).toBe('application/problem+json');
	expect(answer.json).toMatchObject({ status, request_id: answer.headers.get('x-request-id') });
	expect(answer.headers.get('cache-control')).toBe('no-store');
}

describe('origins', () => {
	it('an allowed one gets exactly its own value back, and Vary', async () => {
		const answer = await ask();
		expect(answer.status).toBe(202);
		expect(answer.headers.get('access-control-allow-origin')).toBe(stack.allowed_origin);
		expect(answer.headers.get('vary')).toBe('Origin');
		expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
	});

	it.each(['https://evil.example', 'null', `${'http://localhost'}`, OTHER_ORIGIN])(
		'%s is refused without any Access-Control header',
		async (origin) => {
			const answer = await ask({}, { origin });
			expectProblem(answer, 403, 'origin_not_allowed');
			expect(answer.headers.get('vary')).toBe('Origin');
			expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
		},
	);

	it('a preflight is answered for any allowed origin, and refused for others', async () => {
		const path = '/widget/call-requests';
		const preflight = (origin: string) => call(stack.base_url, path, { method: 'OPTIONS', headers: { origin } });
		const allowed = await preflight(OTHER_ORIGIN);
		expect(allowed.status).toBe(204);
		expect(Object.fromEntries([...allowed.headers].filter(([name]) => /^(access|vary)/.test(name)))).toEqual({
			'access-control-allow-origin': OTHER_ORIGIN,
			'access-control-allow-methods': 'GET, POST, OPTIONS',
			'access-control-allow-headers': 'content-type, idempotency-key',
			'access-control-max-age': '7200',
			vary: 'Origin',
		});
		const refused = await preflight('https://evil.example');
		expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
	});
});

describe("a visitor's request that cannot be taken says why", () => {
	it.each([
		[{ consent: false }, 422, 'consent_required', '/consent'],
		[{ phone: '2025550101' }, 422, 'phone_invalid', '/phone'],
		[{ phone: '+18765550123' }, 422, 'country_not_allowed', '/phone'],
		[{ phone: '+19005550123' }, 422, 'phone_not_callable', '/phone'],
		[{ page_url: 'https://elsewhere.example/' }, 422, 'page_url_mismatch', '/page_url'],
		[{ page_url: 'javascript:alert(1)' }, 422, 'validation_failed', '/page_url'],
		[{ name: ' '.repeat(5) }, 422, 'validation_failed', '/name'],
		[{ name: 'x'.repeat(101) }, 422, 'validation_failed', '/name'],
		[{ consent: 'yes' }, 422, 'validation_failed', '/consent'],
		[{ workspace_key: 7 }, 422, 'validation_failed', '/workspace_key'],
	])('%j: %i %s at %s', async (changes, status, code, pointer) => {
		const answer = await ask(changes);
		expectProblem(answer, status, code);
		expect(answer.json.errors.map((error: { pointer: string }) => error.pointer)).toEqual([pointer]);
		expect(answer.headers.get('access-control-allow-origin')).toBe(stack.allowed_origin);
	});

	it.each([
		['half an object', '{"a":', 'application/json', 400, 'invalid_json'],
		['another content type', '{}', 'text/plain', 415, 'unsupported_media_type'],
		['17 KB', `{"pad":"${'x'.repeat(17_000)}"}`, 'application/json', 413, 'payload_too_large'],
		['an array', '[]', 'application/json', 422, 'validation_failed'],
		['an unknown workspace', '{"workspace_key":"wk_nobody"}', 'application/json', 403, 'invalid_workspace_key'],
	])('%s', async (_what, raw, type, status, code) => {
		const headers = { origin: stack.allowed_origin, 'content-type': type };
		expectProblem(await call(stack.base_url, '/widget/call-requests', { raw, headers }), status, code);
	});

	it('a spent limit names when to come back, and a race cannot pass it', async () => {
		const site = { ...stack, ...other };
		const answers = await Promise.all(Array.from({ length: 10 }, () => ask({}, {}, site)));
		expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
		const [limited] = answers.filter(({ status }) => status === 429);
		if (limited === undefined) throw new Error('nothing was limited');
		expectProblem(limited, 429, 'rate_limited');
		expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
	});

	it('one live call for each number', async () => {
		const phone = '+12125550110';
		expect((await ask({ phone })).status).toBe(202);
		expectProblem(await ask({ phone }), 429, 'rate_limited');
	});
});

describe('an Idempotency-Key', () => {
	it('gets the first answer again, byte for byte, and makes one call of fifty twins', async () => {
		const phone = freshPhone();
		const twins = Array.from({ length: 50 }, () => ask({ phone }, { 'idempotency-key': 'one intent' }));
		const answers = await Promise.all(twins);
		const accepted = answers.filter(({ status }) => status === 202);
		expect(new Set(accepted.map(({ text }) => text)).size).toBe(1);
		expect(accepted.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
		for (const answer of answers.filter(({ status }) => status !== 202)) {
			expectProblem(answer, 409, 'idempotency_conflict');
			expect(answer.headers.get('retry-after')).toBe('1');
		}
		const again = await ask({ phone }, { 'idempotency-key': 'one intent' });
		expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([accepted[0]?.text, 'true']);
	});

	it('with another body is refused, and so is a malformed one', async () => {
		const phone = freshPhone();
		expect((await ask({ phone }, { 'idempotency-key': 'a' })).status).toBe(202);
		expectProblem(await ask({ phone, name: 'Grace' }, { 'idempotency-key': 'a' }), 422, 'idempotency_key_reused');
		expectProblem(await ask({}, { 'idempotency-key': 'x'.repeat(256) }), 400, 'idempotency_key_invalid');
	});

	it('shows the signing secret of a created endpoint again, which the table never holds in clear', async () => {
		const body = { url: 'https://hooks.example.com/x', events: ['call.completed'] };
		const headers = { ...bearer(stack.api_key), 'idempotency-key': 'endpoint' };
		const first = await call(stack.base_url, '/webhook-endpoints', { body, headers });
		const again = await call(stack.base_url, '/webhook-endpoints', { body, headers });
		expect(first.status).toBe(201);
		expect(first.json.data.secret).toMatch(/^whsec_/);
		expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
		const table = readFileSync(join(stack.state_dir, 'dynamodb.db')).toString('latin1');
		const log = readFileSync(join(stack.state_dir, 'dynamodb.db-wal')).toString('latin1');
		expect(`${table}${log}`).not.toContain(first.json.data.secret);
		const listed = await read('/webhook-endpoints');
		expect(listed.text).not.toContain('whsec_');
	});

	it('of a refused request is not remembered', async () => {
		const key = { 'idempotency-key': 'later' };
		const phone = freshPhone();
		expectProblem(await ask({ phone, consent: false }, key), 422, 'consent_required');
		expect((await ask({ phone }, key)).status).toBe(202);
	});
});

describe('webhook addresses', () => {
	it.each([
		'http://hooks.example.com/',
		'https://127.0.0.1/',
		'https://localhost/',
		'https://[::1]/',
		'https://10.0.0.8/',
		'https://user:pass@hooks.example.com/',
		'https://hooks.example.com:22/',
		'not a url',
	])('%s is refused', async (url) => {
		const body = { url, events: ['call.completed'] };
		const answer = await call(stack.base_url, '/webhook-endpoints', { body, headers: bearer(stack.api_key) });
		expectProblem(answer, 422, 'webhook_url_not_allowed');
	});
});

it('nobody finds a phone number in what was printed, stored or sent', async () => {
	const phone = '+19175550137';
	await ask({ phone });
	const files = [
		'dynamodb.db',
		'dynamodb.db-wal',
		'phones.jsonl',
		'inbox.jsonl',
		'logs/request-call.log',
		'logs/dial-leg.log',
	];
	const everything = files.map((file) => readFileSync(join(stack.state_dir, file)).toString('latin1')).join('\n');
	expect(everything).toContain('+1********37');
	expect(everything).not.toContain(phone.slice(2));
});
