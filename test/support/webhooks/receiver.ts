import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { authority, keyPem, leaf, newPair } from '../../../local/certificates.ts';
import { httpsSender, LIMITS, type SenderOptions } from '../../../shared/adapters/https/sender.ts';

// Receivers of webhooks over real TLS. They respond with any bytes that a test sets.

/** The host name in every receiver's certificate, unless a test wants another. */
export const HOST = 'hook.example';
const DAY_MS = 24 * 3_600_000;

/** A certificate authority that the sender trusts, with valid and invalid certificates. */
export async function certificates() {
	const [caKeys, keys] = await Promise.all([newPair(), newPair()]);
	const ca = await authority(caKeys);
	const key = await keyPem(keys.privateKey);
	const signed = { keys, ca, signingKey: caKeys.privateKey };
	const named = (name: string) => [{ type: 'dns', value: name }] as const;
	const validFrom = (fromMs: number) => {
		const notBefore = new Date(Date.now() + fromMs);
		return { notBefore, notAfter: new Date(notBefore.getTime() + DAY_MS) };
	};
	const [good, expired, early, otherName, selfSigned, foreign] = await Promise.all([
		leaf(signed, named(HOST)),
		leaf(signed, named(HOST), validFrom(-2 * DAY_MS)),
		leaf(signed, named(HOST), validFrom(DAY_MS)),
		leaf(signed, named('other.example')),
		leaf({ ...signed, ca: { subject: `CN=${HOST}` }, signingKey: keys.privateKey }, named(HOST)),
		authority(await newPair()).then((other) => leaf({ ...signed, ca: other }, named(HOST))),
	]);
	const withKey = (cert: typeof good) => ({ key, cert: cert.toString('pem') });
	return {
		ca_pem: ca.toString('pem'),
		good: withKey(good),
		expired: withKey(expired),
		early: withKey(early),
		otherName: withKey(otherName),
		selfSigned: withKey(selfSigned),
		foreign: withKey(foreign),
	};
}

export type Received = {
	readonly head: string;
	readonly body: string;
	readonly connection: number;
	/** Resets the connection (TCP RST). */
	readonly reset: () => void;
};
/** What a receiver does after it has read a whole request. */
export type Behaviour = (socket: Socket, request: Received) => void;

/** Makes a server listen on a free port of this machine, and keeps track of its connections. */
async function listen(server: Server) {
	const sockets = new Set<Socket>();
	let accepted = 0;
	server.on('connection', (socket: Socket) => {
		accepted += 1;
		sockets.add(socket);
		socket.on('error', () => undefined);
		socket.on('close', () => sockets.delete(socket));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		port,
		url: `https://${HOST}:${port}/hook?a=1`,
		/** How many connections were opened so far. */
		accepted: () => accepted,
		reset(port: number | undefined) {
			for (const socket of sockets) if (socket.remotePort === port) socket.resetAndDestroy();
		},
		/** Resolves when the last connection is closed. */
		async idle() {
			for (const socket of sockets) await once(socket, 'close');
		},
		async stop() {
			server.close();
			for (const socket of sockets) socket.destroy();
			await once(server, 'close');
		},
	};
}

/** A receiver over TLS that reads each request completely and then calls `behave`. `greet` runs after the TLS handshake. */
export async function tlsReceiver(options: TlsOptions, behave: Behaviour, greet?: (reset: () => void) => void) {
	const requests: Received[] = [];
	const servernames: (string | false | null)[] = [];
	const server = createTlsServer({ noDelay: true, ...options }, (socket) => {
		const connection = servernames.push(socket.servername);
		const { remotePort } = socket;
		const reset = () => listening.reset(remotePort);
		socket.on('error', () => undefined);
		greet?.(reset);
		let read = Buffer.alloc(0);
		socket.on('data', (chunk: Buffer) => {
			read = Buffer.concat([read, chunk]);
			const [head = '', ...rest] = read.toString('latin1').split('\r\n\r\n');
			const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
			if (rest.length === 0 || read.length < head.length + 4 + length) return;
			const body = read.subarray(head.length + 4, head.length + 4 + length).toString();
			read = read.subarray(head.length + 4 + length);
			const request = { head, body, connection, reset };
			requests.push(request);
			behave(socket, request);
		});
	});
	server.on('tlsClientError', () => undefined);
	const listening = await listen(server);
	return { ...listening, requests, servernames };
}

/** A receiver without TLS that only calls `accept` with each connection. */
export async function tcpReceiver(accept: (socket: Socket) => void) {
	const server = createTcpServer({ noDelay: true }, (socket) => {
		accept(socket);
		socket.resume();
	});
	return await listen(server);
}

/**
 * A sender that may connect to receivers on this machine and trusts the test's certificate authority. Its deadlines are longer
 * than any test needs.
 */
export function testSender(caPem: string, ports: readonly number[], changes: Partial<SenderOptions> = {}) {
	return httpsSender({
		allowed_webhook_hosts: ports.map((port) => `${HOST}:${port}`),
		trusted_ca_pem: caPem,
		resolve: async () => ['127.0.0.1'],
		// Much longer than even a busy machine needs. A test about one deadline shortens only that deadline.
		limits: { ...LIMITS, connect_ms: 20_000, total_ms: 20_000 },
		...changes,
	});
}
