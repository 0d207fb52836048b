import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Stack } from '../../local/stack.ts';
import { call, eventually, fromConsole, visitorBody } from '../support/stack/api.ts';
import { testStack } from '../support/stack/stack.ts';

let stack: Stack;
beforeAll(async () => {
	stack = await testStack();
});
afterAll(() => stack.stop());

const origin = () => ({ origin: stack.allowed_origin });
const key = () => ({ authorization: `Bearer ${stack.api_key}` });

async function requestCall(phone: string): Promise<string> {
	const body = visitorBody(stack, { phone });
	const answer = await call(stack.base_url, '/widget/call-requests', { body, headers: origin() });
	expect(answer.status).toBe(202);
	expect(Object.keys(answer.json.data).sort()).toEqual(['id', 'poll_after_ms', 'status']);
	return answer.json.data.id;
}

async function callOver(id: string) {
	return await eventually(`call ${id} ends`, async () => {
		const { json } = await call(stack.base_url, `/calls/${id}`, { headers: key() });
		return ['completed', 'failed', 'canceled'].includes(json.data.status) ? json.data : null;
	});
}

type Received = { readonly verified: boolean; readonly body: string };

async function eventsOf(id: string, count: number) {
	return await eventually(`${count} events of ${id}`, async () => {
		const json = await fromConsole(stack, '/inbox/demo');
		const events = json
			.filter((received: Received) => received.verified)
			.map((received: Received) => JSON.parse(received.body))
			.filter((event: { data: { id: string } }) => event.data.id === id);
		return events.length >= count ? events : null;
	});
}

describe('a visitor who requests a call', () => {
	it('is rung after the team and connected, and every subscriber gets signed events', async () => {
		const id = await requestCall('+1 (202) 555-0101');
		const record = await callOver(id);
		expect(record).toMatchObject({ status: 'completed', failure_reason: null, visitor_phone_masked: '+1********01' });
		expect(Date.parse(record.completed_at)).toBeGreaterThan(Date.parse(record.connected_at));
		const events = await eventsOf(id, 4);
		expect(events.map(({ event }: { event: string }) => event).sort()).toEqual([
			'call.completed',
			'call.connected',
			'call.requested',
			'call.ringing',
		]);
		const completed = events.find(({ event }: { event: string }) => event === 'call.completed');
		expect(completed.data).toEqual({
			id,
			workspace_id: stack.workspace_id,
			status: 'completed',
			duration_seconds: record.duration_seconds,
		});
		const status = await call(stack.base_url, `/widget/call-requests/${id}/status`, { headers: origin() });
		expect(status.json).toEqual({
			data: {
				id,
				status: 'completed',
				poll_after_ms: null,
				failure_reason: null,
				visitor_phone_rings: false,
				connected_for_ms: null,
				duration_seconds: record.duration_seconds,
			},
		});
	});
});
