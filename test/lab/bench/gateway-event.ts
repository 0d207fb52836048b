import type { RequestEvent } from '../../../shared/http/edge/request.ts';
import type { Customer } from '../../support/webhooks/customers.ts';

/** A `POST /widget/call-requests` as API Gateway passes it to a function. Each number has its own Idempotency-Key. */
export function gatewayEvent(
	{ allowed_origin: origin, workspace_key }: Pick<Customer, 'allowed_origin' | 'workspace_key'>,
	phone: string,
): RequestEvent {
	return {
		rawPath: '/v1/widget/call-requests',
		isBase64Encoded: false,
		headers: { origin, 'content-type': 'application/json', 'idempotency-key': `bench-${phone}` },
		requestContext: { requestId: 'bench', http: { method: 'POST', sourceIp: '192.0.2.1' } },
		body: JSON.stringify({ workspace_key, phone, name: 'Ada', consent: true, page_url: `${origin}/pricing` }),
	};
}
