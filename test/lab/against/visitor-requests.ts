import type { RequestEvent } from '../../../shared/http/edge/request.ts';
import { visitorBody } from '../../support/stack/api.ts';
import type { Customer } from '../../support/webhooks/customers.ts';
import { fictionalNumbers } from '../bench/fictional-numbers.ts';

/** A kind of request that a visitor waits for. */
export type VisitorRequest = {
	/** The operation of the function that responds. */
	readonly operation: string;
	readonly status: number;
	/** The next event, as API Gateway passes it on. Each event has another phone number. */
	next(): RequestEvent;
};

/** The requests of one visit. `callId` returns the id of one of this customer's calls, ended or live. */
export function visitorRequests(customer: Customer, callId: () => string): readonly VisitorRequest[] {
	const phones = fictionalNumbers(2000).values();
	const { workspace_key, allowed_origin: origin } = customer;
	const event = (method: string, rawPath: string, more: Partial<RequestEvent> = {}): RequestEvent => ({
		rawPath: `/v1${rawPath}`,
		isBase64Encoded: false,
		headers: { origin, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
		requestContext: { requestId: 'against', http: { method, sourceIp: '192.0.2.1' } },
		...more,
	});
	const post = (path: string) => () => {
		const { value: phone } = phones.next();
		if (phone === undefined)
			throw new RangeError('No fictional number is left: take fewer --batches, or --only one function.');
		return event('POST', path, { body: JSON.stringify(visitorBody(customer, { phone })) });
	};
	return [
		{
			operation: 'get-widget-config',
			status: 200,
			next: () => event('GET', '/widget/config', { queryStringParameters: { workspace_key, language: 'en' } }),
		},
		{ operation: 'request-call', status: 202, next: post('/widget/call-requests') },
		{
			operation: 'get-call-request-status',
			status: 200,
			next: () => event('GET', `/widget/call-requests/${callId()}/status`, { pathParameters: { id: callId() } }),
		},
		{ operation: 'create-callback-lead', status: 201, next: post('/widget/callback-leads') },
	];
}
