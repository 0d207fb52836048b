import { appendFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type Verification, verifyWebhook } from '../../../packages/client/webhooks.ts';
import type { Certificates } from '../../certificates.ts';
import { close, listen, pathsOnly, readBody } from '../../http-server.ts';
import { readJsonLines } from '../../json-lines.ts';
import type { ReceivedWebhook } from '../page/wire.ts';

export type Inbox = {
	readonly port: number;
	/** Adds a secret that may sign webhooks for this inbox. */
	expect(inbox: string, secret: string): void;
	received(inbox: string): readonly ReceivedWebhook[];
	close(): Promise<void>;
};

/** How many webhooks are kept in memory and shown on the page. The file has all webhooks. */
const SHOWN = 1000;

/** A webhook receiver at `POST /inbox/<name>` over HTTPS. The receiver stores each webhook before answering with 200. */
export async function startInbox(port: number, certificates: Certificates, file: string): Promise<Inbox> {
	const secrets = new Map<string, readonly string[]>();
	const all: ReceivedWebhook[] = readJsonLines(file, 'inbox', SHOWN);

	function keep(inbox: string, request: IncomingMessage, body: string): void {
		const header = String(request.headers['service-signature'] ?? '');
		const tries = secrets.get(inbox)?.map((secret): Verification => verifyWebhook({ body, header, secret })) ?? [];
		const verification = tries.find(({ verified }) => verified) ?? tries[0] ?? null;
		const webhook: ReceivedWebhook = {
			inbox,
			received_at: new Date().toISOString(),
			headers: request.headers,
			body,
			verified: verification?.verified ?? null,
			error: verification === null || verification.verified ? null : verification.error,
		};
		appendFileSync(file, `${JSON.stringify(webhook)}\n`);
		all.push(webhook);
		if (all.length > SHOWN) all.splice(0, all.length - SHOWN);
	}

	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const inbox = /^\/inbox\/([\w-]{1,64})$/.exec(request.url ?? '')?.[1];
		const body = await readBody(request);
		if (request.method !== 'POST' || inbox === undefined || body === null) {
			response.writeHead(404).end();
			return;
		}
		keep(inbox, request, body.toString('utf8'));
		response.writeHead(200, { 'content-type': 'text/plain' }).end('received');
	}

	const credentials = { key: certificates.key_pem, cert: certificates.cert_pem };
	const server = createServer(
		credentials,
		pathsOnly((request, response) => {
			serve(request, response).catch(() => response.destroy());
		}),
	);
	return {
		port: await listen(server, port),
		expect: (inbox, secret) => void secrets.set(inbox, [...(secrets.get(inbox) ?? []), secret]),
		received: (inbox) => all.filter((received) => received.inbox === inbox),
		close: () => close(server),
	};
}
