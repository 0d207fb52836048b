import { type EventKind, eventKinds } from '../../domain/webhooks/event.ts';
import { eventExamples } from '../webhooks/events-docs.ts';
import { type Json, refTo } from './schemas.ts';

export const WEBHOOKS_TAG = {
	name: 'Webhooks',
	description:
		'The events that your endpoints receive. Answer with a 2xx; we retry every other response, 14 attempts over three days.',
};

const DESCRIPTIONS: { readonly [K in EventKind]: string } = {
	'call.requested': 'A visitor requested a call',
	'call.ringing': 'A phone is ringing',
	'call.connected': 'The visitor and the team are connected',
	'call.completed': 'A conversation ended',
	'call.failed': 'A call failed or was canceled',
	'callback.requested': 'A visitor requested a callback',
};

const header = (name: string, description: string, example: string): Json => {
	return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
};

/**
 * These parameters are repeated in each webhook, because client generators ignore shared parameters that no operation of
 * the API uses.
 */
const webhookParameters: readonly Json[] = [
	header(
		'Service-Signature',
		'`t=<unix time>,v1=<hex>`: HMAC-SHA256, keyed with the whole secret, of `<t>.<raw body>`. Compare in constant time with each `v1`; reject a `t` more than 300 seconds from now. There are several `v1` during a secret rotation.',
		`t=1762689783,v1=${'2e37df5d'.repeat(8)}`,
	),
	header('Service-Event', 'The event type.', 'call.completed'),
	header('Service-Delivery', 'The id of the delivery.', '01KA8Z4N8S3M7Q1V5Z9C2F6J0N'),
	header('Service-Attempt', 'The number of the attempt, from 1.', '1'),
	header(
		'Service-Sequence',
		'The number of the event among those of one call or lead, from 1, so that your receiver can drop stale events.',
		'4',
	),
	{
		...header(
			'Traceparent',
			'W3C Trace Context: the trace of the call or lead, whose id is the trace id in hexadecimal, and the span of this attempt.',
			'00-0199d1f2c7a4b0e58f3a6d9c12e4b7a1-8f3a6d9c12e4b7a1-01',
		),
		// The header is not required, because functions of the previous release do not send it.
		required: false,
	},
];

/**
 * Documents one webhook. `x-internal` keeps the webhook out of generated clients, because clients send no webhooks, and
 * openapi-generator would write an API class whose imports have no names. The bodies of webhooks are components, so every
 * client has their types anyway.
 */
function webhook(kind: EventKind): Json {
	const schema = refTo(kind === 'callback.requested' ? 'CallbackEvent' : 'CallEvent');
	return {
		operationId: `receive-${kind.replace('.', '-')}`,
		tags: [WEBHOOKS_TAG.name],
		summary: DESCRIPTIONS[kind],
		'x-internal': true,
		security: [],
		parameters: webhookParameters,
		requestBody: { required: true, content: { 'application/json': { schema, example: eventExamples[kind] } } },
		responses: { '2XX': { description: `Your endpoint has received ${kind}.` } },
	};
}

/**
 * Documents the webhooks again, as a callback of the operation that creates an endpoint. Some client generators, such as
 * the generator for Go, drop a schema to which no path refers, even if a webhook refers to it.
 */
export function subscription(): Json {
	const schema = { anyOf: [refTo('CallEvent'), refTo('CallbackEvent')] };
	const example = eventExamples['call.completed'];
	const post = {
		operationId: 'receive-event',
		tags: [WEBHOOKS_TAG.name],
		summary: 'An event of any type',
		description:
			'One signed POST for each event. The webhooks of this document describe each event type and the headers.',
		security: [],
		requestBody: { required: true, content: { 'application/json': { schema, example } } },
		responses: { '2XX': { description: 'Your endpoint has received the event.' } },
	};
	return { event: { '{$request.body#/url}': { post } } };
}

export function webhooks(): Readonly<Record<string, Json>> {
	return Object.fromEntries(eventKinds.map((kind) => [kind, { post: webhook(kind) }]));
}
