import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { routes } from '../../../shared/contract/routes.ts';
import { parseBody, parseQuery } from '../../../shared/http/edge/request.ts';

// The error messages for an invalid request say what was expected, and never how it is checked.

const detailOf = (schema: z.ZodMiniType, value: unknown): unknown => {
	const parsed = parseBody(schema, { it: value });
	return 'problem' in parsed ? parsed.problem.detail : 'valid';
};
const of = (inner: z.ZodMiniType) => z.object({ it: inner });

describe('the error for an invalid body', () => {
	const size = z.int().check(z.gte(1), z.lte(100));
	it.each([
		[size, 0, 'an integer from 1 to 100'],
		[size, 101, 'an integer from 1 to 100'],
		[size, 1.5, 'an integer from 1 to 100'],
		[size, 'many', 'an integer from 1 to 100'],
		[size, undefined, 'required: an integer from 1 to 100'],
		[z.int().check(z.gt(0), z.lt(10)), 10, 'an integer from 1 to 9'],
		[z.int().check(z.gte(3)), 2, 'an integer of at least 3'],
		[z.number().check(z.lte(2.5)), 3, 'a number of at most 2.5'],
		[z.string().check(z.minLength(1), z.maxLength(40)), '', 'a text of 1 to 40 characters'],
		[z.string().check(z.maxLength(3)), 'long', 'a text of at most 3 characters'],
		[z.string().check(z.minLength(3)), 'it', 'a text of at least 3 characters'],
		[z.nullable(z.string()), 5, 'a text'],
		[z.boolean(), 'yes', 'true or false'],
		[z.object({}), [], 'an object'],
		[z.array(z.string()).check(z.minLength(1), z.maxLength(6)), [], 'a list of 1 to 6 items'],
		[z.enum(['on', 'off']), 'maybe', 'one of on, off'],
		[z.int().check(z.multipleOf(5)), 7, 'a multiple of 5'],
		[z.string().check(z.regex(/^[a-z]+$/, 'small letters')), 'A', 'small letters'],
		[z.string().check(z.refine(() => false, 'An address.')), 'A', 'An address'],
	])('(%#) for %j is "%s"', (schema, value, expected) => {
		expect(detailOf(of(schema), value)).toBe(`it: ${expected}.`);
	});

	it('has an entry for each invalid value if there are several', () => {
		const parsed = parseBody(z.object({ a: z.string(), b: size }), { a: 1, b: 0 });
		expect(parsed).toEqual({
			problem: {
				code: 'validation_failed',
				detail: 'The body is not valid; see `errors`.',
				extra: {
					errors: [
						{ pointer: '/a', code: 'invalid_type', detail: 'A text.' },
						{ pointer: '/b', code: 'too_small', detail: 'An integer from 1 to 100.' },
					],
				},
			},
		});
	});

	it('lists at most 20 invalid values, and says how many there are', () => {
		const parsed = parseBody(z.object({ a: z.array(z.int()) }), { a: Array.from({ length: 21 }, () => 'x') });
		const { problem } = { problem: null, ...parsed };
		expect(problem?.detail).toBe('The body is not valid; see `errors`. It has the first 20 of 21.');
		expect(problem?.extra?.['errors']).toHaveLength(20);
	});

	it('never repeats the invalid value', () => {
		const schema = z.object({ a: z.enum(['x']), b: z.string().check(z.maxLength(2)), c: z.int() });
		const secret = '+12025550101';
		expect(JSON.stringify(parseBody(schema, { a: secret, b: secret, c: secret }))).not.toContain(secret);
	});
});

const lists = routes.filter(({ operation }) => operation.startsWith('list-'));

describe('the error for an invalid query parameter', () => {
	it.each(['0', '101', '1000', 'ten', '1.5', '-1', ''])(
		'says, for limit=%s of any list: an integer from 1 to 100',
		(limit) => {
			for (const { query } of lists) {
				expect(parseQuery(query, { limit })).toMatchObject({
					problem: {
						code: 'invalid_parameter',
						detail: 'limit: an integer from 1 to 100.',
						extra: { errors: [{ pointer: '?limit', detail: 'An integer from 1 to 100.' }] },
					},
				});
			}
			expect(lists.length).toBeGreaterThan(2);
		},
	);

	it('that takes one of several words lists the words', () => {
		const calls = routes.find(({ operation }) => operation === 'list-calls');
		expect(calls && parseQuery(calls.query, { status: 'failed,lost' })).toMatchObject({
			problem: { detail: expect.stringMatching(/^status: one of requested, /) },
		});
	});
});

describe('the error for a name that a server route does not know', () => {
	const calls = routes.find(({ operation }) => operation === 'list-calls');
	const of = (query: object): unknown => calls && parseQuery(calls.query, query);

	it.each([
		['stauts', '`status`'],
		['STATUS', '`status`'],
		['statuses', '`status`'],
		['form', '`from`'],
		['form_', '`from`'],
		['curser', '`cursor`'],
		['Limit', '`limit`'],
		['ref-erence', '`reference`'],
	])('for %s suggests %s', (name, meant) => {
		expect(of({ [name]: 'x' })).toEqual({
			problem: {
				code: 'invalid_parameter',
				detail: `${name}: unknown; did you mean ${meant}?`,
				extra: { errors: [{ pointer: `?${name}`, code: 'unknown_name', detail: `Unknown; did you mean ${meant}?` }] },
			},
		});
	});

	it.each(['before', 'q', 'xy', 'constructor', 'toString', 'x'.repeat(9000)])(
		'for %.20s lists all names, because none is similar',
		(name) => {
			expect(of({ [name]: '' })).toMatchObject({
				problem: { detail: `${name}: unknown; use one of status, from, to, limit, cursor, reference.` },
			});
		},
	);

	it('is given by every server route for its query and body, and by no route of the widget', () => {
		const takes = (schema: z.ZodMiniType): boolean => {
			const parsed = schema.safeParse({ unknown_name: 1 });
			return parsed.success || !parsed.error.issues.some(({ code }) => code === 'unrecognized_keys');
		};
		const taking = routes.filter(({ query, body, method }) => takes(query) || (method !== 'GET' && takes(body)));
		const surfaces = new Set(taking.map(({ surface }) => surface));
		expect(surfaces).not.toContain('server');
		const widget = routes.filter(({ surface }) => surface === 'widget');
		expect(widget.filter(({ query, body, method }) => !takes(query) || (method !== 'GET' && !takes(body)))).toEqual([]);
		expect(widget.length).toBeGreaterThan(3);
	});
});

const EXPECTED =
	/^(required: )?(an? (text|list|integer|number|object|id|header)\b|true or false|one of|must be|another|unknown; |(only|required) with)/i;
const Errors = z.object({ errors: z.array(z.object({ detail: z.string() })) });

it('for any request to any route, each error says what was expected', () => {
	const schemas = routes.flatMap(({ body, query }): object[] => [body, query]);
	const names = schemas.flatMap((schema) => ('shape' in schema ? Object.keys(schema.shape as object) : []));
	const fields = fc.dictionary(fc.constantFrom(...new Set(names)), fc.anything({ maxDepth: 1 }), { maxKeys: 8 });
	fc.assert(
		fc.property(fc.oneof(fields, fc.anything()), fc.constantFrom(...routes), (sent, { body, query }) => {
			for (const parsed of [parseBody(body, sent), parseQuery(query, sent)]) {
				if ('value' in parsed) continue;
				for (const { detail } of Errors.parse(parsed.problem.extra).errors) expect(detail).toMatch(EXPECTED);
			}
		}),
		{ numRuns: 2000 },
	);
});
