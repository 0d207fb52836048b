import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { routes } from '../../../shared/contract/routes.ts';
import { cutAt } from '../../../shared/domain/kernel/visible-line.ts';
import { Refused } from '../../../shared/http/edge/refusals.ts';
import { readJsonBody } from '../../../shared/http/edge/request.ts';

it.each([
	['{"name":"\\ud83d"}', ['/name']],
	['{"reference":"a\\udc00b"}', ['/reference']],
	['{"a":{"b/c":["x","\\ud800"]}}', ['/a/b~1c/1']],
	['{"a":"\\ud800","b":"\\udfff\\ud800"}', ['/a', '/b']],
	['{"\\ud800":1}', ['/\ufffd']],
	['"\\ud800"', ['']],
])('a body with half a character is refused with the name of the field: %s', (text, pointers) => {
	const [route] = routes.filter(({ method, surface }) => method === 'POST' && surface === 'widget');
	if (route === undefined) throw new Error('no such route');
	const headers = { 'content-type': 'application/json' };
	let problem: unknown;
	try {
		readJsonBody(route, {
			id: 'r',
			method: 'POST',
			path: '/',
			query: {},
			params: {},
			source_ip: '192.0.2.1',
			cookies: [],
			headers,
			body: Buffer.from(text),
		});
	} catch (error) {
		problem = error instanceof Refused && error.problem;
	}
	const errors = pointers.map((pointer) => expect.objectContaining({ pointer }));
	expect(problem).toMatchObject({ code: 'validation_failed', extra: { errors } });
});

it('a text is cut between whole characters', () => {
	expect(cutAt(`${'a'.repeat(63)}\u{1f600}`, 64)).toBe('a'.repeat(63));
	expect(cutAt(`${'a'.repeat(62)}\u{1f600}`, 64)).toBe(`${'a'.repeat(62)}\u{1f600}`);
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, most) => {
			expect(cutAt(text, most).isWellFormed()).toBe(true);
			expect(cutAt(text, most).length).toBeGreaterThanOrEqual(Math.min(text.length, most) - 1);
		}),
	);
});
