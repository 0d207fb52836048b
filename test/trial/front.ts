import { once } from 'node:events';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificates } from '../../local/certificates.ts';

/**
 * The address of the API, as a domain of one's own would be: the emulator tells its APIs apart by host names that Node.js does
 * not resolve. Answers 503 until `leadTo` has named the API.
 */
export async function startFront({ cert_pem, key_pem, ca_pem }: Certificates) {
	let target: { readonly host: string; readonly port: number } | null = null;
	const server = createServer({ cert: cert_pem, key: key_pem }, (incoming, outgoing) => {
		if (target === null) {
			outgoing.writeHead(503).end();
			return;
		}
		const { method, url: path } = incoming;
		const headers = { ...incoming.headers, host: `${target.host}:${target.port}` };
		const to = { host: '127.0.0.1', servername: 'localhost', port: target.port, ca: ca_pem };
		const asking = request({ ...to, method, path, headers, agent: false }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		asking.on('error', () => outgoing.destroy());
		incoming.pipe(asking);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		base_url: `https://localhost:${port}/v1`,
		leadTo(api: URL, gateway_port: number): void {
			target = { host: api.hostname, port: gateway_port };
		},
		async close(): Promise<void> {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
