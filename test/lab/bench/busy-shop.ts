import { type Attributes, toItem } from '../../../shared/adapters/dynamodb/items.ts';
import { permissions } from '../../../shared/domain/access/permission.ts';
import { isMissed } from '../../../shared/domain/calls/call.ts';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import { derivedId } from '../../../shared/domain/kernel/id.ts';
import { maskPhone } from '../../../shared/domain/kernel/phone-mask.ts';
import { callOwner, leadOwner } from '../../../shared/domain/kernel/phone-number.ts';
import type { CallbackLead } from '../../../shared/domain/leads/callback-lead.ts';
import { HEALTHY } from '../../../shared/domain/webhooks/circuit-breaker.ts';
import type { Delivery } from '../../../shared/domain/webhooks/delivery.ts';
import { newDelivery } from '../../../shared/domain/webhooks/delivery-machine.ts';
import { type Event, eventKinds, makeEvent } from '../../../shared/domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import { counterItem } from '../../support/aws/fill-table.ts';
import { busyTallies, endedCall } from '../../support/calls/busy-tallies.ts';
import { fictionalNumber } from '../../support/front-desk.ts';
import { samples } from '../../support/sample-records.ts';
import { subscribed } from '../../support/webhooks/deliveries.ts';

// What a busy shop would have in the table after 30 days. The records are made one after another, so that 300,000 calls need
// no memory.

const DAY_MS = 24 * 3_600_000;
const DAYS = 30;
const CALLS_PER_REQUEST = 100;
/** Each of the newest calls has two events, and each event has a delivery to each of three endpoints. */
const CALLS_WITH_EVENTS = 500;
/** Entries of the audit list, and API keys. */
const ENTRIES = 300;
const KEYS = 20;

type Shop = { readonly workspace_id: string; readonly now_ms: number; readonly calls: number };

/**
 * The items of a shop with `calls` calls. Of ten calls, members take seven, and one is missed. A tenth of the requests wait. One
 * of these is among the oldest, so the first page of Today has it at every hour, however many calls were missed since yesterday.
 */
export function* busyShop({ workspace_id, now_ms, calls }: Shop): Generator<Attributes> {
	const endpoints = endpointsOf(workspace_id, now_ms);
	const atMs = (nth: number): number => now_ms - 60_000 - Math.floor((nth * DAYS * DAY_MS) / calls);
	for (let nth = 0; nth < calls; nth += 1) {
		const call = callOf(workspace_id, nth, atMs(nth));
		yield toItem('call', call);
		const mayWait = isMissed(call) && atMs(nth) > now_ms - 2 * DAY_MS;
		if (mayWait || nth < CALLS_WITH_EVENTS) yield* visitorItems(call, callOwner(call.id), now_ms);
		if (nth < CALLS_WITH_EVENTS) yield* eventItems(call, nth, endpoints);
		if (nth % CALLS_PER_REQUEST !== 0) continue;
		const request = requestOf(workspace_id, nth / CALLS_PER_REQUEST, atMs(nth));
		yield toItem('callback_lead', request);
		yield* visitorItems(request, leadOwner(request.id), now_ms);
	}
	for (const each of endpoints) yield toItem('webhook_endpoint', each);
	for (let nth = 0; nth < KEYS; nth += 1) {
		const key = { ...samples.api_key, id: derivedId(now_ms, 'key', `${nth}`), permissions: [...permissions] };
		yield toItem('api_key', { ...key, workspace_id, name: `Server ${nth}`, created_at: iso(now_ms) });
	}
	for (let nth = 0; nth < ENTRIES; nth += 1) {
		const entry = { ...samples.desk_change, id: derivedId(now_ms - nth * 60_000, 'entry'), workspace_id };
		yield toItem('desk_change', { ...entry, expires_at_epoch_s: expiry(now_ms), created_at: iso(now_ms) });
	}
	for (const each of busyTallies(workspace_id, now_ms, { days: 62, calls_a_day: Math.ceil(calls / DAYS) }))
		yield counterItem(each);
}

const iso = (ms: number): string => new Date(ms).toISOString();
const expiry = (nowMs: number): number => Math.floor((nowMs + DAYS * DAY_MS) / 1000);

/** Three endpoints. The second has failed for an hour. */
const endpointsOf = (workspace_id: string, nowMs: number): readonly WebhookEndpoint[] =>
	['crm', 'erp', 'warehouse'].map((name) =>
		subscribed(name, nowMs - DAYS * DAY_MS, {
			workspace_id,
			events: eventKinds,
			health: name === 'erp' ? { ...HEALTHY, failing_since: iso(nowMs - 3_600_000) } : HEALTHY,
		}),
	);

/** No number ends in 99. */
const visitorOf = (nth: number) => ({
	number_hash: `visitor ${nth}`,
	visitor_phone_masked: maskPhone(fictionalNumber(nth % 50)),
	source_url: `https://shop.example/page-${nth % 50}?utm_source=ads&utm_campaign=${nth % 7}`,
});

/** A call with the leg of one member and, if the member took it, with the leg of the visitor. */
function callOf(workspace_id: string, nth: number, atMs: number): CallRecord {
	const ended = endedCall(nth, atMs);
	const [leg] = ended.legs;
	if (leg === undefined) throw new Error('the call has no leg');
	const { accepted_at } = leg;
	const connected_at = accepted_at && iso(Date.parse(accepted_at) + 5000);
	const completed_at = iso(Date.parse(connected_at ?? iso(atMs + 30_000)) + 60_000);
	const rang = { ...leg, rank: 'ended', ringing_at: iso(atMs + 1000), ended_at: completed_at } as const;
	const missed = { ...rang, member_name: `Member ${leg.member}`, cause: 'no_answer' } as const;
	const took = { ...missed, answered_at: accepted_at, cause: 'completed' } as const;
	const own = { id: derivedId(atMs, 'visitor'), role: 'visitor', member: null, accepted_at: null } as const;
	return {
		...ended,
		...visitorOf(nth),
		id: derivedId(atMs, 'call', `${nth}`),
		workspace_id,
		legs: accepted_at === null ? [missed] : [took, { ...rang, ...own, answered_at: connected_at, cause: 'completed' }],
		visitor_name: `Visitor ${nth}`,
		connected_at,
		completed_at,
		duration_seconds: connected_at === null ? 0 : 60,
		...(isMissed(ended) && { call_back_until: iso(atMs + 2 * DAY_MS) }),
		due_at: null,
	};
}

function requestOf(workspace_id: string, nth: number, atMs: number): CallbackLead {
	const created_at = iso(atMs);
	return {
		...samples.callback_lead,
		...visitorOf(nth),
		number_hash: `visitor of request ${nth}`,
		id: derivedId(atMs, 'request', `${nth}`),
		workspace_id,
		name: `Visitor of request ${nth}`,
		note: 'Please call after lunch, best before four.',
		status: nth % 10 === 9 ? 'pending' : 'handled',
		created_at,
		updated_at: created_at,
	};
}

/** What is stored besides a call or a request: the use of the visitor's number, the number itself, and the consent. */
function* visitorItems(asked: CallRecord | CallbackLead, owner: string, nowMs: number): Generator<Attributes> {
	const { id, number_hash = '', workspace_id, created_at, source_url } = asked;
	const kept = { number_hash, expires_at_epoch_s: expiry(nowMs) };
	yield toItem('number_usage', { ...samples.number_usage, ...kept, live_call_id: id });
	yield toItem('sealed_number', { ...samples.sealed_number, owner, expires_at_epoch_s: kept.expires_at_epoch_s });
	const about = { workspace_id, subject: owner, given_at: created_at, page_url: source_url };
	yield toItem('consent', { ...samples.consent, ...kept, ...about });
}

/** The events of a call's request and of its end, with a delivery to each endpoint. */
function* eventItems(call: CallRecord, nth: number, endpoints: readonly WebhookEndpoint[]): Generator<Attributes> {
	const { id, workspace_id, created_at, completed_at, status, duration_seconds } = call;
	const end = status === 'completed' ? 'call.completed' : 'call.failed';
	for (const [place, kind] of (['call.requested', end] as const).entries()) {
		const at = place === 0 ? created_at : (completed_at ?? created_at);
		const data = { id, workspace_id, status, duration_seconds };
		const about = { workspace_id, subject_id: id, kind, sequence: place + 1, created_at: at, data };
		const event = makeEvent({ ...about, id: derivedId(Date.parse(at), id, kind) });
		yield toItem('event', event);
		for (const endpoint of endpoints) yield toItem('delivery', deliveryOf(event, endpoint, nth));
	}
}

/** A delivery that has ended. To an endpoint that fails, every tenth has failed for good. */
function deliveryOf(event: Event, endpoint: WebhookEndpoint, nth: number): Delivery {
	const hasFailed = endpoint.health.failing_since !== null && nth % 10 === 0;
	const attempt = { ...samples.delivery_attempt.attempt, started_at: event.created_at, response_body: 'Busy' };
	const accepted = { response_status: 200, error: null, response_body: '{"ok":true}' } as const;
	return {
		...newDelivery(event, endpoint, Date.parse(event.created_at)),
		status: hasFailed ? 'failed' : 'succeeded',
		attempt_count: 1,
		next_attempt_at: null,
		last_attempt: hasFailed ? attempt : { ...attempt, ...accepted },
		due_at: null,
	};
}
