import { describe, expect, it } from '@jest/globals';
import { routes } from '../../../shared/contract/routes.ts';
import { subjectOf } from '../../../shared/http/edge/subject-of.ts';
import { idOf } from '../../support/sample-records.ts';

const ok = { statusCode: 200, body: '{}' };
const made = (id: string) => ({ statusCode: 201, body: JSON.stringify({ data: { id, url: 'https://shop.example' } }) });

describe('the log line of a request', () => {
	it.each([
		['/calls/{id}/cancel', { call_id: idOf(1) }],
		['/widget/call-requests/{id}/status', { call_id: idOf(1) }],
		['/callback-leads/{id}', { lead_id: idOf(1) }],
		['/webhook-endpoints/{id}/test', { endpoint_id: idOf(1) }],
		['/webhook-deliveries/{id}/retry', { delivery_id: idOf(1) }],
		['/events/{id}', { event_id: idOf(1) }],
	])('to %s names the resource in its path', (path, fields) => {
		expect(subjectOf(path, { params: { id: idOf(1) } }, ok)).toEqual(fields);
		expect(subjectOf(path, { params: { id: idOf(1) } }, { statusCode: 404, body: '{}' })).toEqual(fields);
	});

	it.each([
		['/widget/call-requests', 'call_id'],
		['/widget/callback-leads', 'lead_id'],
		['/webhook-endpoints', 'endpoint_id'],
	])('to %s names the resource that it created', (path, field) => {
		expect(subjectOf(path, { params: {} }, made(idOf(2)))).toEqual({ [field]: idOf(2) });
		expect(subjectOf(path, { params: {} }, { ...made(idOf(2)), statusCode: 422 })).toEqual({});
	});

	it.each(['+12025550101', '%0A', '../calls', idOf(1).toLowerCase(), `${idOf(1)}x`, ''])(
		'has nothing from the path that is not an id: %j',
		(id) => {
			expect(subjectOf('/calls/{id}', { params: { id } }, ok)).toEqual({});
			expect(subjectOf('/widget/call-requests', { params: {} }, made(id))).toEqual({});
		},
	);

	it('has a field for every route with an id', () => {
		const withId = routes.filter(({ path }) => path.includes('{id}'));
		const without = withId.filter(
			({ path }) => Object.keys(subjectOf(path, { params: { id: idOf(1) } }, ok)).length !== 1,
		);
		expect([withId.length > 10, without.map(({ path }) => path)]).toEqual([true, []]);
	});
});
