import { describe, expect, it } from '@jest/globals';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import { attemptSpanId, spanIdOf, traceIdOf } from '../../../shared/domain/kernel/trace-context.ts';
import { type Consequences, callTrace, leadTrace } from '../../../shared/domain/trace/trace.ts';
import { eventSpan } from '../../../shared/domain/trace/webhook-spans.ts';
import { EVENT_RETENTION_SECONDS } from '../../../shared/domain/webhooks/event.ts';
import { idOf, samples, WORKSPACE } from '../../support/sample-records.ts';

// Tests what each span of a trace says. test/unit/ops/trace.test.ts shows traces as operators read them.

const START_MS = Date.parse('2026-11-21T09:00:00.000Z');
const at = (seconds: number) => new Date(START_MS + seconds * 1000).toISOString();
const nothing: Consequences = { events: [], notices: [], calls_back: [] };
const [leg] = samples.call.legs;
if (leg === undefined) throw new Error('the sample has no leg');

/** A call that Ida answered. The conversation lasted from the tenth to the thirtieth second. */
const joined: CallRecord = {
	...samples.call,
	number_hash: 'aGFzaA',
	status: 'completed',
	created_at: at(0),
	connected_at: at(10),
	completed_at: at(30),
	duration_seconds: 20,
	winner_leg_id: idOf(3),
	legs: [
		{ ...leg, dialed_at: at(6), answered_at: at(9), ended_at: at(30), cause: 'completed' },
		{ ...leg, id: idOf(3), role: 'agent', member: 'm1', dialed_at: at(1), ended_at: at(30), cause: 'hung_up' },
		{
			...leg,
			id: idOf(4),
			role: 'agent',
			member: 'm2',
			created_at: at(2),
			dialed_at: null,
			ended_at: at(3),
			cause: 'unreachable',
		},
	],
};

describe('the trace of a call', () => {
	it('says how the call and each phone ended, and from when to when the two talked', () => {
		const { id, workspace_id, root, links, notes } = callTrace(joined, nothing, START_MS);
		const { children, ...call } = root;
		expect({ id, workspace_id, links, notes }).toEqual({
			id: traceIdOf(joined.id),
			workspace_id: WORKSPACE,
			links: [],
			notes: [],
		});
		expect(call).toEqual({
			id: spanIdOf(joined.id),
			name: 'call',
			kind: 'internal',
			started_at: at(0),
			ended_at: at(30),
			failure: null,
			attributes: {
				'call.id': joined.id,
				'call.workspace_id': WORKSPACE,
				'call.status': 'completed',
				'call.duration_seconds': 20,
			},
			events: [],
		});
		const phone = { kind: 'client', failure: null, events: [], children: [] };
		expect(children).toEqual([
			{
				...phone,
				id: spanIdOf(idOf(3)),
				name: 'phone of a team member',
				started_at: at(1),
				ended_at: at(30),
				attributes: {
					'leg.id': idOf(3),
					'leg.role': 'agent',
					'leg.member_id': 'm1',
					'leg.is_dialed': true,
					'leg.cause': 'hung_up',
				},
				events: [{ at: at(10), name: 'talking' }],
			},
			{
				...phone,
				id: spanIdOf(idOf(4)),
				name: 'phone of a team member',
				started_at: at(2),
				ended_at: at(3),
				failure: 'unreachable',
				attributes: {
					'leg.id': idOf(4),
					'leg.role': 'agent',
					'leg.member_id': 'm2',
					'leg.is_dialed': false,
					'leg.cause': 'unreachable',
				},
			},
			{
				...phone,
				id: spanIdOf(idOf(2)),
				name: 'phone of the visitor',
				started_at: at(6),
				ended_at: at(30),
				attributes: { 'leg.id': idOf(2), 'leg.role': 'visitor', 'leg.is_dialed': true, 'leg.cause': 'completed' },
				events: [
					{ at: at(9), name: 'answered' },
					{ at: at(10), name: 'talking' },
				],
			},
			{
				id: spanIdOf(joined.id, 'conversation'),
				name: 'conversation',
				kind: 'internal',
				started_at: at(10),
				ended_at: at(30),
				failure: null,
				attributes: {},
				events: [],
				children: [],
			},
		]);
	});

	it('says why the call failed, that it was a test, and which phone the service refused to dial', () => {
		const failed = callTrace(
			{
				...joined,
				status: 'failed',
				failure_reason: 'no_agent_answer',
				is_test: true,
				connected_at: null,
				duration_seconds: null,
				legs: [{ ...leg, refused_code: '13227', cause: null, ended_at: null }],
			},
			nothing,
			START_MS,
		).root;
		expect(failed).toMatchObject({ failure: 'no_agent_answer', ended_at: at(30) });
		expect(failed.attributes).toEqual({
			'call.id': joined.id,
			'call.workspace_id': WORKSPACE,
			'call.status': 'failed',
			'call.failure_reason': 'no_agent_answer',
			'call.is_test': true,
		});
		expect(failed.children.map(({ failure, ended_at, attributes }) => ({ failure, ended_at, attributes }))).toEqual([
			{
				failure: null,
				ended_at: null,
				attributes: {
					'leg.id': idOf(2),
					'leg.role': 'visitor',
					'leg.member_id': 'm1',
					'leg.is_dialed': true,
					'leg.refused_code': '13227',
				},
			},
		]);
	});

	it('has a link to the lead or to the earlier call that the call answers', () => {
		const rootOf = (id: string) => ({ trace_id: traceIdOf(id), span_id: spanIdOf(id) });
		const linksOf = (changes: Partial<CallRecord>) => callTrace({ ...joined, ...changes }, nothing, START_MS).links;
		expect(linksOf({ lead_id: idOf(7) })).toEqual([rootOf(idOf(7))]);
		expect(linksOf({ calls_back: idOf(8) })).toEqual([rootOf(idOf(8))]);
	});

	it('says when events of the call may have been deleted, and whether the visitor was erased', () => {
		const notesAt = (nowMs: number, changes: Partial<CallRecord> = {}) =>
			callTrace({ ...joined, ...changes }, nothing, nowMs).notes;
		const kept = START_MS + EVENT_RETENTION_SECONDS * 1000;
		expect(notesAt(kept)).toEqual([]);
		expect(notesAt(kept + 1)).toEqual([expect.stringContaining('more than 30 days ago')]);
		const { number_hash: _, ...erased } = joined;
		expect(callTrace(erased, nothing, START_MS).notes).toEqual([expect.stringContaining('The visitor was erased')]);
		expect(callTrace({ ...erased, is_test: true }, nothing, START_MS).notes).toEqual([]);
	});
});

describe('the trace of a lead', () => {
	const traced = (status: 'pending' | 'handled' | 'dismissed', consequences = nothing) =>
		leadTrace({ ...samples.callback_lead, number_hash: 'aGFzaA', status, updated_at: at(60) }, consequences, START_MS)
			.root;

	it('goes on until the lead is done', () => {
		expect(traced('pending')).toMatchObject({
			kind: 'internal',
			ended_at: null,
			failure: null,
			events: [],
			children: [],
		});
		expect(traced('dismissed')).toMatchObject({ ended_at: at(60), failure: null });
	});

	it('says when a notice is tried again, that it failed, and how each call back ended', () => {
		const notice = { ...samples.team_notice, expires_at_epoch_s: START_MS / 1000 + EVENT_RETENTION_SECONDS };
		const children = traced('handled', {
			...nothing,
			notices: [
				{ ...notice, id: 'a', next_attempt_at: at(5) },
				{ ...notice, id: 'b', status: 'failed', attempt_count: 7, next_attempt_at: null },
				{ ...notice, id: 'c', status: 'sent', attempt_count: 1, next_attempt_at: null },
			],
			calls_back: [joined],
		}).children;
		const part = { events: [], children: [], started_at: at(0) };
		const sent = { ...part, name: 'notice by mail', kind: 'client' };
		expect(children).toHaveLength(4);
		expect(children).toEqual(
			expect.arrayContaining([
				{
					...sent,
					id: spanIdOf('a'),
					ended_at: null,
					failure: null,
					attributes: { 'notice.status': 'pending', 'notice.tries': 0, 'notice.next_attempt_at': at(5) },
				},
				{
					...sent,
					id: spanIdOf('b'),
					ended_at: at(0),
					failure: 'failed',
					attributes: { 'notice.status': 'failed', 'notice.tries': 7 },
				},
				{
					...sent,
					id: spanIdOf('c'),
					ended_at: at(0),
					failure: null,
					attributes: { 'notice.status': 'sent', 'notice.tries': 1 },
				},
				{
					...part,
					id: spanIdOf(joined.id, 'called back'),
					name: 'call back',
					kind: 'internal',
					ended_at: at(30),
					failure: null,
					attributes: { 'call.id': joined.id, 'call.status': 'completed' },
				},
			]),
		);
	});
});

describe('the span of an event', () => {
	const event = { ...samples.event, created_at: at(0) };
	const { delivery, delivery_attempt } = samples;
	const failed = {
		...delivery_attempt.attempt,
		started_at: at(1),
		timings: { ...delivery_attempt.attempt.timings, total_ms: 500 },
	};
	const spanOf = (changes: Partial<typeof delivery>, attempts: readonly (typeof failed)[]) =>
		eventSpan({ event, deliveries: [{ delivery: { ...delivery, created_at: at(0), ...changes }, attempts }] });

	it('ends with its last delivery, and says of each attempt how it ended and how long each phase took', () => {
		const done = { ...failed, number: 2, started_at: at(9), response_status: 204, error: null };
		expect(spanOf({ status: 'succeeded', attempt_count: 2, next_attempt_at: null }, [failed, done])).toEqual({
			id: spanIdOf(event.id),
			name: 'call.requested',
			kind: 'internal',
			started_at: at(0),
			ended_at: at(9.5),
			failure: null,
			attributes: { 'event.id': event.id, 'event.sequence': 1 },
			events: [],
			children: [
				{
					id: spanIdOf(delivery.id),
					name: 'delivery',
					kind: 'internal',
					started_at: at(0),
					ended_at: at(9.5),
					failure: null,
					attributes: {
						'delivery.id': delivery.id,
						'delivery.endpoint_id': delivery.endpoint_id,
						'delivery.status': 'succeeded',
						'delivery.attempts': 2,
					},
					events: [],
					children: [
						{
							id: attemptSpanId(delivery.id, 1),
							name: 'attempt 1',
							kind: 'client',
							started_at: at(1),
							ended_at: at(1.5),
							failure: 'http_status',
							attributes: {
								'attempt.number': 1,
								'attempt.waited_ms': 1000,
								'http.response.status_code': 500,
								'error.type': 'http_status',
								'attempt.dns_ms': 0.25,
								'attempt.first_byte_ms': 1.5,
							},
							events: [],
							children: [],
						},
						{
							id: attemptSpanId(delivery.id, 2),
							name: 'attempt 2',
							kind: 'client',
							started_at: at(9),
							ended_at: at(9.5),
							failure: null,
							attributes: {
								'attempt.number': 2,
								'attempt.waited_ms': 7500,
								'http.response.status_code': 204,
								'attempt.dns_ms': 0.25,
								'attempt.first_byte_ms': 1.5,
							},
							events: [],
							children: [],
						},
					],
				},
			],
		});
	});

	it('goes on while a delivery is tried again, and a delivery that ended badly says how', () => {
		const pending = spanOf({ status: 'pending', next_attempt_at: at(20) }, [failed]);
		expect(pending.ended_at).toBeNull();
		expect(pending.children[0]).toMatchObject({ ended_at: null, failure: null });
		expect(pending.children[0]?.attributes).toMatchObject({ 'delivery.next_attempt_at': at(20) });
		for (const status of ['failed', 'held', 'canceled'] as const) {
			expect(spanOf({ status, next_attempt_at: null }, []).children[0]).toMatchObject({
				ended_at: at(0),
				failure: status,
			});
		}
	});
});
