import { createServer } from 'node:https';
import { localCertificates } from '../../../local/certificates.ts';
import { close, listen, readBody } from '../../../local/http-server.ts';
import { scratch } from './child.ts';
import { nowMs, type Task } from './children/report.ts';

/**
 * A customer's server. It responds with 503 at the path `/dead`, and with 204 at any other path. `arrivals`: when each event
 * (`webhook-id`) arrived at any other path.
 */
export async function startReceiver() {
	const { key_pem: key, cert_pem: cert, ca_pem } = await localCertificates(scratch());
	const arrivals = new Map<string, number>();
	const server = createServer({ key, cert }, (request, response) => {
		void readBody(request).then(() => {
			const isDead = request.url === '/dead';
			if (!isDead) arrivals.set(String(request.headers['webhook-id']), nowMs());
			response.writeHead(isDead ? 503 : 204).end();
		});
	});
	const host = `localhost:${await listen(server, 0)}`;
	const target = { url: `https://${host}/`, host, ca_pem, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };
	return { arrivals, target: target satisfies Task['target'], close: () => close(server) };
}
