import { expect, it } from '@jest/globals';
import { makeEvent } from '../../../shared/domain/webhooks/event.ts';

it('the body of an event is its envelope', () => {
	const facts = { workspace_id: 'w', subject_id: 's', sequence: 1 };
	const { body } = makeEvent({
		...facts,
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
