import { type EventKind, eventKinds } from '../../domain/webhooks/event.ts';
import { eventExamples } from './examples.ts';
import { type Json, refTo } from './schemas.ts';

export const WEBHOOKS_TAG = {
	name: 'Webhooks',
	description:
		'What your endpoints receive. Answer with a 2xx: anything else is tried again, 14 attempts over three days.',
};

const said: { readonly [K in EventKind]: string } = {
	'call.requested': 'A visitor asked to be called',
	'call.ringing': 'Somebody is being rung',
	'call.connected': 'Visitor and team hear each other',
	'call.completed': 'A conversation has ended',
	'call.failed': 'A call did not come about, or was canceled',
	'callback.requested': 'A visitor wants to be called later',
};

const header = (name: string, description: string, example: string): Json => {
	return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
};

/** Said in each webhook: generators of clients make nothing of shared parameters that no operation of the API has. */
const webhookParameters: readonly Json[] = [
	header(
		'Service-Signature',
		'`t=<unix time>,v1=<hex>`: HMAC-SHA256, keyed with the whole secret, of `<t>.<raw body>`. Compare in constant time with each `v1`; refuse a `t` more than 300 seconds from now. There are several `v1` while a secret is being rotated.',
		`t=1762689783,v1=${'2e37df5d'.repeat(8)}`,
	),
	header('Service-Event', 'The kind of event.', 'call.completed'),
	header('Service-Delivery', 'The id of the delivery.', '01KA8Z4N8S3M7Q1V5Z9C2F6J0N'),
	header('Service-Attempt', 'Counts the attempts from 1.', '1'),
	header('Service-Sequence', 'Counts the events of one subject from 1, so that a receiver can drop a stale one.', '4'),
];

const received = { description: 'Received.' };

function webhook(kind: EventKind): Json {
	const schema = refTo(kind === 'callback.requested' ? 'CallbackEvent' : 'CallEvent');
	return {
		operationId: `receive-${kind.replace('.', '-')}`,
		tags: [WEBHOOKS_TAG.name],
		summary: said[kind],
		security: [],
		parameters: webhookParameters,
		requestBody: { required: true, content: { 'application/json': { schema, example: eventExamples[kind] } } },
		responses: { '2XX': received },
	};
}

/**
 * The same as a callback of the operation that subscribes. Generators of Go and others drop a schema that no path leads to,
 * and then miss it in the webhooks.
 */
export function subscription(): Json {
	const schema = { anyOf: [refTo('CallEvent'), refTo('CallbackEvent')] };
	const example = eventExamples['call.completed'];
	const post = {
		operationId: 'receive-event',
		tags: [WEBHOOKS_TAG.name],
		summary: 'An event of any kind',
		description: 'One signed POST for each event; the webhooks of this document have each kind and the headers.',
		security: [],
		requestBody: { required: true, content: { 'application/json': { schema, example } } },
		responses: { '2XX': received },
	};
	return { event: { '{$request.body#/url}': { post } } };
}

/** What is posted to an endpoint, by kind of event. */
export function webhooks(): Readonly<Record<string, Json>> {
	return Object.fromEntries(eventKinds.map((kind) => [kind, { post: webhook(kind) }]));
}
