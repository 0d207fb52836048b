import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Certificates, localCertificates } from '../../local/certificates.ts';
import { close, listen, readBody } from '../../local/gateway/http-server.ts';

/** A customer's server, which answers 204 at once. */
export type TlsReceiver = {
	readonly port: number;
	readonly certificates: Certificates;
	/** The ids (`webhook-id`) of the events that have arrived. */
	readonly arrivals: Set<string>;
	close(): Promise<void>;
};

export async function startReceiver(): Promise<TlsReceiver> {
	const directory = mkdtempSync(join(tmpdir(), 'bench-receiver-'));
	const certificates = await localCertificates(directory);
	const arrivals = new Set<string>();
	const server = createServer({ key: certificates.key_pem, cert: certificates.cert_pem }, (request, response) => {
		readBody(request).then(
			() => {
				arrivals.add(String(request.headers['webhook-id']));
				response.writeHead(204).end();
			},
			() => response.destroy(),
		);
	});
	const port = await listen(server, 0);
	return {
		port,
		certificates,
		arrivals,
		async close() {
			await close(server);
			rmSync(directory, { recursive: true, force: true });
		},
	};
}
