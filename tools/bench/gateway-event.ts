import type { APIGatewayProxyEventV2 } from 'aws-lambda';

type Visitor = { readonly origin: string; readonly workspace_key: string; readonly phone: string };

/** `POST /widget/call-requests` as API Gateway passes it to a function; each number has its own Idempotency-Key. */
export function gatewayEvent({ origin, workspace_key, phone }: Visitor): APIGatewayProxyEventV2 {
	const body = { workspace_key, phone, name: 'Ada', consent: true, page_url: `${origin}/pricing` };
	const path = '/v1/widget/call-requests';
	return {
		version: '2.0',
		routeKey: `POST ${path}`,
		rawPath: path,
		rawQueryString: '',
		isBase64Encoded: false,
		headers: { origin, 'content-type': 'application/json', 'idempotency-key': `bench-${phone}` },
		requestContext: {
			accountId: '000000000000',
			apiId: 'bench',
			routeKey: `POST ${path}`,
			stage: '$default',
			requestId: 'bench',
			domainName: 'api.example',
			domainPrefix: 'api',
			time: '21/Nov/2026:09:00:00 +0000',
			timeEpoch: 1_795_251_600_000,
			http: { method: 'POST', path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'bench' },
		},
		body: JSON.stringify(body),
	};
}
