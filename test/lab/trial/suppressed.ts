import { once } from 'node:events';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificates } from '../../../local/certificates.ts';

const LIST = '/v2/email/suppression/addresses/';

/**
 * Amazon SES with a suppression list, which the emulator does not have. It answers requests about a suppressed address itself
 * (https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetSuppressedDestination.html), and passes everything else on to
 * the emulator.
 */
export async function startSuppressionList({ cert_pem, key_pem, ca_pem }: Certificates, suppressed: readonly string[]) {
	let emulatorPort = 0;
	const server = createServer({ cert: cert_pem, key: key_pem }, (incoming, outgoing) => {
		const { method, url: path = '', headers } = incoming;
		const asked = path.startsWith(LIST) ? decodeURIComponent(path.slice(LIST.length)) : null;
		if (asked !== null && suppressed.includes(asked)) {
			const found = { EmailAddress: asked, Reason: 'BOUNCE', LastUpdateTime: Date.now() / 1000 };
			outgoing.writeHead(200).end(JSON.stringify({ SuppressedDestination: found }));
			return;
		}
		const asking = request(
			{
				host: '127.0.0.1',
				servername: 'localhost',
				port: emulatorPort,
				ca: ca_pem,
				method,
				path,
				headers,
				agent: false,
			},
			(answer) => {
				outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
				answer.pipe(outgoing);
			},
		);
		asking.on('error', () => outgoing.destroy());
		incoming.pipe(asking);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `https://127.0.0.1:${port}`,
		leadTo(portOfEmulator: number): void {
			emulatorPort = portOfEmulator;
		},
		async close(): Promise<void> {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
