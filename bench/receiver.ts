import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Certificates, localCertificates } from '../local/certificates.ts';
import { close, listen, readBody } from '../local/gateway/http-server.ts';

/** A customer's server: `/well` answers at once, `/hangs` never does. */
export type TlsReceiver = {
	readonly port: number;
	readonly certificates: Certificates;
	/** Event id (`webhook-id`) -> the time when its request had arrived completely, in `nowMs`. */
	readonly arrivals: ReadonlyMap<string, number>;
	clear(): void;
	close(): Promise<void>;
};

/** Milliseconds on a clock that all processes on this machine share. */
export const nowMs = (): number => performance.timeOrigin + performance.now();

export async function startReceiver(): Promise<TlsReceiver> {
	const directory = mkdtempSync(join(tmpdir(), 'bench-receiver-'));
	const certificates = await localCertificates(directory);
	const arrivals = new Map<string, number>();
	const server = createServer({ key: certificates.key_pem, cert: certificates.cert_pem }, (request, response) => {
		readBody(request).then(
			() => {
				if (request.url === '/hangs') return;
				arrivals.set(String(request.headers['webhook-id']), nowMs());
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
		clear: () => arrivals.clear(),
		async close() {
			await close(server);
			rmSync(directory, { recursive: true, force: true });
		},
	};
}
