import { createServer } from 'node:https';
import { type Certificates, localCertificates } from '../../local/certificates.ts';
import { close, listen, readBody } from '../../local/gateway/http-server.ts';
import { scratch } from './child.ts';
import { nowMs } from './children/report.ts';

/** A customer's server, which answers 204 at once, but never at `/hangs`. */
export type TlsReceiver = {
	readonly port: number;
	readonly certificates: Certificates;
	/** When each event (`webhook-id`) arrived. */
	readonly arrivals: Map<string, number>;
	close(): Promise<void>;
};

export async function startReceiver(): Promise<TlsReceiver> {
	const certificates = await localCertificates(scratch());
	const arrivals = new Map<string, number>();
	const server = createServer({ key: certificates.key_pem, cert: certificates.cert_pem }, (request, response) => {
		void readBody(request).then(() => {
			if (request.url === '/hangs') return;
			arrivals.set(String(request.headers['webhook-id']), nowMs());
			response.writeHead(204).end();
		});
	});
	return { port: await listen(server, 0), certificates, arrivals, close: () => close(server) };
}
