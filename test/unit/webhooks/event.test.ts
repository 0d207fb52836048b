import { expect, it } from '@jest/globals';
import { newCallRecord } from '../../../shared/domain/calls/call-record.ts';
import { makeEvent } from '../../../shared/domain/webhooks/event.ts';
import { callEvent } from '../../../shared/use-cases/calls/call-events.ts';
import { CALL_ID, START_MS } from '../../support/calls/call-after.ts';
import { samples } from '../../support/sample-records.ts';

it('the body of an event equals its envelope', () => {
	const { body } = makeEvent({
		workspace_id: 'w',
		subject_id: 's',
		sequence: 1,
		id: 'e',
		kind: 'call.failed',
		created_at: '2026-11-21T10:00:00.000Z',
		data: { id: 's' },
	});
	expect(JSON.parse(body)).toEqual({
		id: 'e',
		event: 'call.failed',
		created_at: '2026-11-21T10:00:00.000Z',
		data: { id: 's' },
	});
});

it('a call event is byte for byte as specified, although its call has a reference and a caller number', () => {
	const workspace = { ...samples.workspace, caller_number: '+13125550142' };
	const request = {
		id: CALL_ID,
		workspace,
		visitor_phone_masked: '+1********01',
		visitor_name: 'Ada',
		reference: 'order-4711',
		source_url: 'https://shop.example/?utm_source=mail',
	};
	const { events, call } = newCallRecord(request, { now_ms: START_MS, speed: 1 });
	expect(call).toMatchObject({ reference: 'order-4711', caller_number: '+13125550142' });
	const data = `{"id":"${CALL_ID}","workspace_id":"${workspace.id}","status":"requested","duration_seconds":null}`;
	expect(events.map((event) => callEvent(event, 1, 'E', START_MS).body)).toEqual([
		`{"id":"E","event":"call.requested","created_at":"2026-11-21T09:00:00.000Z","data":${data}}`,
	]);
});
