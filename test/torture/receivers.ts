import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import type { Certificates } from '../../local/certificates.ts';
import { close, listen, readBody } from '../../local/http-server.ts';
import { verifyWebhook } from '../../packages/client/webhooks.ts';

/**
 * How a receiver answers. The last two accept a part: `one-kind` refuses one event type, `first-two-fail` the first two
 * attempts of each event.
 */
export const misbehaviours = [
	...(['silent', 'errors', 'drip', 'reset', 'gone', 'redirect'] as const),
	...(['one-kind', 'first-two-fail'] as const),
] as const;
export type Conduct = 'healthy' | (typeof misbehaviours)[number];
/** What `one-kind` refuses. */
export const REFUSED_KIND = 'call.ringing';

/** One customer's receiver, and what came to it. */
export type Receiver = {
	readonly name: string;
	readonly conduct: Conduct;
	/** Known once the endpoint was created. */
	secret: string;
	/** Event id -> times received. */
	readonly arrived: Map<string, number>;
	/** What did not verify. */
	unverified: number;
	last_at_ms: number;
};
export type Receivers = {
	readonly port: number;
	readonly all: readonly Receiver[];
	/** Events that came with other bytes than before, at whichever receiver. */
	readonly altered: ReadonlySet<string>;
	close(): Promise<void>;
};

const DRIP_MS = 1000;

/** Customers' receivers behind one HTTPS server of this process, each under a path of its own. */
export async function startReceivers(conducts: readonly Conduct[], certificates: Certificates): Promise<Receivers> {
	const all = conducts.map((conduct, n): Receiver => {
		const name = `${conduct}-${n}`;
		return { name, conduct, secret: '', arrived: new Map(), unverified: 0, last_at_ms: 0 };
	});
	const bodies = new Map<string, string>();
	const altered = new Set<string>();

	/** What came, and how often by now; null when it does not verify. */
	function note(receiver: Receiver, header: string, body: string): Arrival | null {
		receiver.last_at_ms = Date.now();
		const verification = verifyWebhook({ body, header, secret: receiver.secret });
		if (!verification.verified) {
			receiver.unverified += 1;
			return null;
		}
		const { id, event } = verification.event;
		const times = (receiver.arrived.get(id) ?? 0) + 1;
		receiver.arrived.set(id, times);
		if ((bodies.get(id) ?? body) !== body) altered.add(id);
		bodies.set(id, body);
		return { event, times };
	}

	const server = createServer({ key: certificates.key_pem, cert: certificates.cert_pem }, (request, response) => {
		const receiver = all.find(({ name }) => request.url === `/${name}`);
		// The stack is killed again and again: requests that break off are part of it.
		readBody(request).then(
			async (body) => {
				if (receiver === undefined || body === null) return void response.writeHead(404).end();
				const arrival = note(receiver, String(request.headers['service-signature'] ?? ''), body.toString('utf8'));
				await answer(receiver.conduct, arrival, response);
			},
			() => response.destroy(),
		);
	});
	server.on('clientError', (_error, socket) => socket.destroy());
	return { port: await listen(server, 0), all, altered, close: () => close(server) };
}

type Arrival = { readonly event: string; readonly times: number };

async function answer(conduct: Conduct, arrival: Arrival | null, response: ServerResponse): Promise<void> {
	switch (conduct) {
		case 'healthy':
			return void response.writeHead(204).end();
		case 'silent':
			return;
		case 'errors':
			return void response.writeHead(500).end('out of order');
		case 'drip':
			return drip(response);
		case 'reset':
			return void response.destroy();
		case 'gone':
			return void response.writeHead(410).end();
		case 'redirect':
			return void response.writeHead(302, { location: 'https://elsewhere.example/' }).end();
		case 'one-kind':
			return void response.writeHead(arrival?.event === REFUSED_KIND ? 500 : 204).end();
		case 'first-two-fail':
			return void response.writeHead((arrival?.times ?? 0) <= 2 ? 500 : 204).end();
	}
}

/** A byte a second: alive for ever, done never. */
async function drip(response: ServerResponse): Promise<void> {
	response.on('error', () => undefined).writeHead(200);
	while (!response.destroyed) {
		response.write('.');
		await wait(DRIP_MS);
	}
}
