import type { RequestEvent } from '../../shared/http/request.ts';

type Visitor = { readonly origin: string; readonly workspace_key: string; readonly phone: string };

/** `POST /widget/call-requests` as API Gateway passes it to a function; each number has its own Idempotency-Key. */
export function gatewayEvent({ origin, workspace_key, phone }: Visitor): RequestEvent {
	const body = { workspace_key, phone, name: 'Ada', consent: true, page_url: `${origin}/pricing` };
	return {
		rawPath: '/v1/widget/call-requests',
		isBase64Encoded: false,
		headers: { origin, 'content-type': 'application/json', 'idempotency-key': `bench-${phone}` },
		requestContext: { requestId: 'bench', http: { method: 'POST', sourceIp: '192.0.2.1' } },
		body: JSON.stringify(body),
	};
}
