/**
 * The functions read their settings when their modules are loaded, so this file must not share loaded modules with other test
 * files. The next line sees to that (decision 98).
 * @jest-environment node
 */

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { routes } from '../../shared/contract/routes.ts';
import { SEED } from '../support/jest/seed.ts';
import { hasEachCase } from '../support/spread-of.ts';
import { functionsInProcess, type InProcess } from './in-process.ts';
import { type HostileRequest, validRequest } from './requests.ts';
import { attempt, reportOf, run } from './run.ts';

const REQUESTS = hasEachCase ? 2_500 : 1_000;
/** Valid requests are made with random choices, such as one of two records. In this many requests, every choice occurs. */
const VALID_TRIES = 200;

let target: InProcess;
beforeAll(async () => {
	target = await functionsInProcess();
});
afterAll(() => target.stop());

describe('every request of a client', () => {
	it.each(routes.map((route) => [route.operation, route] as const))('%s can succeed', async (operation, route) => {
		const seen: string[] = [];
		for (const sent of fc.sample(validRequest(route), { numRuns: VALID_TRIES, seed: SEED })) {
			// A request other than a GET may use up a record that the next request needs. So the test first creates new records.
			if (sent.method !== 'GET') await target.renew();
			const { answer, wrong } = await attempt(sent, target);
			expect(wrong).toEqual([]);
			seen.push(`${operation} ${answer.status}`);
			if (answer.status === route.success) break;
		}
		expect(seen).toContain(`${operation} ${route.success}`);
	});

	it('gets a response that the contract documents, never a 500', async () => {
		expect(reportOf(await run(target, { requests: REQUESTS, seed: SEED }))).toBe('');
	});
});

const bearer = ['authorization', 'Bearer {{api_key}}'] as const;
const json = ['content-type', 'application/json'] as const;
const request = (given: Partial<HostileRequest>): HostileRequest => {
	return {
		method: 'GET',
		target: '/v1/calls',
		headers: [bearer],
		body: null,
		signed: false,
		provider: 'simulator',
		...given,
	};
};
const LONG_ORIGIN = `https://${'a'.repeat(3_000)}`;
const preflight = (origin: string) =>
	request({ method: 'OPTIONS', target: '/v1/widget/config', headers: [['origin', origin]] });
const widget = (body: string, origin: string) =>
	request({ method: 'POST', target: '/v1/widget/call-requests', headers: [['origin', origin], json], body });
const endpoint = (body: string) =>
	request({ method: 'POST', target: '/v1/webhook-endpoints', headers: [bearer, json], body });

/** A form field that is repeated until the body has this many bytes. */
const repeated = (bytes: number) => 'a&'.repeat(bytes / 2);
const callback = (given: Partial<HostileRequest>) =>
	request({ method: 'POST', target: '/v1/telephony/{{call_id}}/{{leg_address}}/status', headers: [], ...given });

describe('a request to a provider route that could cost the service more than its sender', () => {
	it.each<readonly [what: string, sent: HostileRequest, status: number]>([
		['unsigned, and longer than any', callback({ provider: 'twilio', body: repeated(64_000) }), 413],
		['unsigned', callback({ provider: 'twilio', body: repeated(16_384) }), 403],
		[
			'with a signature of somebody else',
			callback({ provider: 'twilio', body: repeated(16_384), headers: [['x-twilio-signature', 'x']] }),
			403,
		],
		['genuine', callback({ provider: 'twilio', body: repeated(16_384), signed: true }), 204],
		['unsigned, to Telnyx', callback({ provider: 'telnyx', body: repeated(16_384) }), 403],
		['genuine, of Telnyx', callback({ provider: 'telnyx', body: repeated(16_384), signed: true }), 204],
	])('costs the service little: %s', async (_what, sent, status) => {
		const { answer, wrong } = await attempt(sent, target);
		expect({ status: answer.status, wrong }).toEqual({ status, wrong: [] });
	});
});

describe('input that once broke a function', () => {
	it.each<readonly [what: string, sent: HostileRequest, status: number, code: string]>([
		['an id that no key can hold', request({ target: `/v1/calls/${'x'.repeat(3_000)}` }), 404, 'not_found'],
		['a sort key too long', request({ target: `/v1/webhook-endpoints/${'x'.repeat(1_100)}` }), 404, 'not_found'],
		['a preflight from an origin that no key can hold', preflight(LONG_ORIGIN), 403, 'origin_not_allowed'],
		['half a body from such an origin', widget('{', LONG_ORIGIN), 403, 'origin_not_allowed'],
		[
			'half a character in a text',
			endpoint('{"url":"https://a.example","events":["\\ud800"]}'),
			422,
			'validation_failed',
		],
		['half a character in a name', endpoint('{"\\udc00":1}'), 422, 'validation_failed'],
		[
			'half a character deep inside',
			endpoint(`{"x":${'['.repeat(3_000)}"\\ud800"${']'.repeat(3_000)}}`),
			400,
			'invalid_json',
		],
	])('gets a refusal that the contract documents: %s (%#)', async (_what, sent, status, code) => {
		const { answer, wrong } = await attempt(sent, target);
		expect({ status: answer.status, code: JSON.parse(answer.text).code, wrong }).toEqual({ status, code, wrong: [] });
	});

	it('is accepted unchanged if both halves of its character (a surrogate pair) are there', async () => {
		const body = '{"url":"https://93.184.215.14/","events":["call.failed"],"description":"\\ud83d\\ude00"}';
		const { answer } = await attempt(endpoint(body), target);
		expect(JSON.parse(answer.text).data.description).toBe('😀');
	});

	it('gets a response that lists only some of hundreds of errors', async () => {
		const { answer, wrong } = await attempt(request({ target: `/v1/calls?status=${','.repeat(199)}` }), target);
		expect([answer.status, wrong]).toEqual([400, []]);
		expect(JSON.parse(answer.text).errors).toHaveLength(20);
	});
});
