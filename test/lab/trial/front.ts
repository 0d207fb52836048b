import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificates } from '../../../local/certificates.ts';
import { MAX_HEADER_BYTES, refuseUnread, serveRoutes } from '../../../local/gateway/gateway.ts';
import type { DeployedApi } from './deployed-api.ts';

type Target = { readonly host: string; readonly port: number; readonly api: DeployedApi };

/**
 * The URL of the API, like a custom domain. A front is needed because the emulator tells its APIs apart by host names that
 * Node.js does not resolve. The front responds with 503 until `leadTo` has named the API. The front also does two things that API
 * Gateway does and the emulator does not:
 * - It refuses a request line and headers of more than 10,240 bytes (quotas of HTTP APIs,
 *   https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html).
 * - It routes the preflight requests of an API without CORS configuration like any other request. API Gateway answers them itself
 *   only "if you configure CORS for an API" (https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html).
 *   The emulator responds with 403 without looking at the routes.
 */
export async function startFront({ cert_pem, key_pem, ca_pem }: Certificates) {
	let target: Target | null = null;

	function forward({ host, port }: Target, incoming: IncomingMessage, outgoing: ServerResponse): void {
		const { method, url: path } = incoming;
		// The desk compares the origin of a form with the host, so both have to be the emulator's name of the API.
		const own = incoming.headers.origin === `https://${incoming.headers.host}` && { origin: `https://${host}:${port}` };
		const headers = { ...incoming.headers, host: `${host}:${port}`, ...own };
		const asking = request(
			{ host: '127.0.0.1', servername: 'localhost', port, ca: ca_pem, method, path, headers, agent: false },
			(answer) => {
				outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
				answer.pipe(outgoing);
			},
		);
		asking.on('error', () => outgoing.destroy());
		incoming.pipe(asking);
	}
	async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
		if (target === null) outgoing.writeHead(503).end();
		else if (incoming.method !== 'OPTIONS' || (await target.api.answersPreflights())) {
			forward(target, incoming, outgoing);
		} else await serveRoutes(incoming, outgoing, await target.api.routes());
	}
	const options = { cert: cert_pem, key: key_pem, maxHeaderSize: MAX_HEADER_BYTES };
	const server = createServer(options, (incoming, outgoing) => {
		serve(incoming, outgoing).catch(() => outgoing.destroy());
	});
	server.on('clientError', refuseUnread);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		base_url: `https://localhost:${port}/v1`,
		leadTo(to: Target): void {
			target = to;
		},
		async close(): Promise<void> {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
