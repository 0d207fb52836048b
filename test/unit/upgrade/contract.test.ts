import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { contractFrom, contractOf } from '../../lab/upgrade/around/contract.ts';

// Checks whether clients of one release can read the responses of another one.

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const Call = {
	type: 'object',
	required: ['id', 'status', 'reason'],
	properties: {
		id: { type: 'string' },
		status: { $ref: '#/components/schemas/Status' },
		reason: { anyOf: [{ $ref: '#/components/schemas/Reason' }, { type: 'null' }] },
	},
};
const documentWith = (call: object) => ({
	paths: {
		'/calls/{id}': {
			parameters: [],
			get: {
				responses: {
					200: json({ $ref: '#/components/schemas/Call' }),
					404: { $ref: '#/components/responses/Problem' },
				},
			},
			delete: { responses: { 204: {} } },
		},
	},
	components: {
		schemas: {
			Call: call,
			Status: { enum: ['open', 'over'] },
			Reason: { description: 'New values may be added: keep a default branch.', enum: ['busy'] },
		},
		responses: { Problem: json({ type: 'object', required: ['code'] }) },
	},
});
const small = contractFrom('1.0', documentWith(Call));
const read = (status: number, body: unknown) =>
	small.wrong({ method: 'GET', path: '/calls/7?fields=id' }, { status, json: body });
const call = { id: '7', status: 'open', reason: null };

describe('the contract check for a client of a release', () => {
	it.each<[string, number, unknown]>([
		['what is documented', 200, call],
		['a new field', 200, { ...call, seen: true }],
		['a new value where the document says that values may be added', 200, { ...call, reason: 'asleep' }],
		['a problem, by a reference', 404, { code: 'not_found' }],
	])('accepts %s', (_, status, body) => {
		expect(read(status, body)).toBeNull();
	});

	it.each<[string, number, unknown]>([
		['an answer without a field', 200, { id: '7', status: 'open' }],
		['a field of another type', 200, { ...call, id: 7 }],
		['a new value of an enumeration that is closed', 200, { ...call, status: 'lost' }],
		['a problem without its code', 404, {}],
		['a status that is not documented', 202, call],
	])('refuses %s', (_, status, body) => {
		expect(read(status, body)).toMatch(/^GET \/calls\/7 answered \d{3}/);
	});

	it('accepts any body if none is documented, and any response of an operation that the release lacks', () => {
		expect(small.wrong({ method: 'DELETE', path: '/calls/7' }, { status: 204, json: null })).toBeNull();
		expect(small.wrong({ method: 'GET', path: '/events' }, { status: 200, json: {} })).toBeNull();
		expect(small.has({ method: 'GET', path: '/events' })).toBe(false);
		expect(small.has({ method: 'GET', path: '/calls/7?fields=id' })).toBe(true);
		expect(small.wrong({ method: 'POST', path: '/calls/7' }, { status: 405, json: {} })).toBeNull();
	});
});

it('a required field that a later release added is missed only by the contract of that release', () => {
	const later = contractFrom('1.1', documentWith({ ...Call, required: [...Call.required, 'seen'] }));
	const asked = { method: 'GET', path: '/calls/7' };
	expect(small.wrong(asked, { status: 200, json: call })).toBeNull();
	expect(later.wrong(asked, { status: 200, json: call })).toContain('seen');
	expect(later.wrong(asked, { status: 200, json: { ...call, seen: true } })).toBeNull();
});

it.each(['openapi.json', 'openapi.released.json'])('the contract check reads docs/%s, with its examples', (file) => {
	const document = JSON.parse(readFileSync(`docs/${file}`, 'utf8'));
	const { value } =
		document.paths['/webhook-deliveries/{id}'].get.responses[200].content['application/json'].examples.example;
	const asked = { method: 'GET', path: `/webhook-deliveries/${value.data.id}` };
	const contract =
		file === 'openapi.json' ? contractOf({ name: 'today', folder: '.' }) : contractFrom('released', document);
	expect(contract.wrong(asked, { status: 200, json: value })).toBeNull();
	expect(contract.wrong(asked, { status: 200, json: { ...value, data: {} } })).not.toBeNull();
});
