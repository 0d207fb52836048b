import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { toItem, toRecord } from '../../../shared/adapters/dynamodb/items.ts';
import { delivery } from '../../conformance/store/stores.ts';

const timings = { dns_ms: 1, connect_ms: null, tls_ms: null, first_byte_ms: 20, total_ms: 22 };
const attempted = (response_body: string) => {
	const started_at = '2026-11-21T09:00:00.000Z';
	const last_attempt = { number: 1, started_at, response_status: 200, error: null, hint: null, timings, response_body };
	return delivery(1, { status: 'succeeded', attempt_count: 1, due_at: null, last_attempt });
};
const formOf = (response_body: string) =>
	Object.keys(toItem('delivery', attempted(response_body))['last_attempt'] ?? {});

it('stores a short attempt as it is, because compressing it takes time and saves no write unit', () => {
	expect(formOf('{"ok":true}')).toEqual(['M']);
});

it('stores a long attempt compressed, so that the delivery still fits into one write unit', () => {
	expect(formOf('No such order. '.repeat(270))).toEqual(['B']);
	expect(formOf('注文'.repeat(20))).toEqual(['B']);
});

it('reads every attempt as it was, in either form', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (response_body) => {
			const item = attempted(response_body);
			expect(toRecord('delivery', toItem('delivery', item))).toEqual(item);
		}),
	);
});
