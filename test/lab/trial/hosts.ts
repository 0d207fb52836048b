import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { Certificates } from '../../../local/certificates.ts';
import type { Answering, Asked } from '../../support/phones/phone-provider.ts';

// Stand-ins for the hosts of telephony providers, over TLS and with their real host names.

/** The host of the provider that the deployment uses: Twilio in Ireland. */
export const REGION_HOST = 'api.dublin.ie1.twilio.com';
export const HOSTS = [REGION_HOST, 'api.twilio.com', 'voice.twilio.com', 'api.telnyx.eu'] as const;
export type Answers = Readonly<Record<(typeof HOSTS)[number], (asked: Asked) => Answering>>;
const UNKNOWN: Answering = { status: 421, body: {} };

/** `answers`: the responses, by host. */
export async function startHosts({ cert_pem, key_pem }: Certificates, answers: Answers) {
	let connected: string[] = [];
	const byHost = new Map<string, (asked: Asked) => Answering>(Object.entries(answers));
	const options = {
		cert: cert_pem,
		key: key_pem,
		SNICallback: (host: string, done: (error: null) => void) => {
			connected.push(host);
			done(null);
		},
	};
	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method = '', url: path = '', headers } = request;
		const asked = { method, path, line: `${method} ${path}`, headers, body: await textOf(request) };
		const { status, body } = byHost.get(headers.host ?? '')?.(asked) ?? UNKNOWN;
		response.writeHead(status, { 'content-type': 'application/json' }).end(status === 204 ? '' : JSON.stringify(body));
	}
	const server = createServer(options, (request, response) => {
		serve(request, response).catch(() => response.destroy());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const elsewhere = new URL('./elsewhere.ts', import.meta.url).href;
	return {
		/** The environment for every program that has to find these hosts. */
		env: { NODE_OPTIONS: `--import=${elsewhere}`, TRIAL_HOSTS_PORT: String(port) },
		/** The host names of the connections since the last call of this function. */
		taken(): readonly string[] {
			const names = connected;
			connected = [];
			return names;
		},
		async close(): Promise<void> {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
