import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Agent, request } from 'node:https';
import type { Socket } from 'node:net';
import type { SendResult } from '../../domain/webhooks/attempt-outcome.ts';
import type { PhaseTimings } from '../../domain/webhooks/delivery.ts';
import { DECISIVE_HEADERS } from '../../domain/webhooks/intermediary.ts';
import type { Obstacle } from '../../domain/webhooks/receiver-hint.ts';
import { sameAddress, type Target } from '../../domain/webhooks/ssrf-guard.ts';
import type { WebhookRequest } from '../../ports/webhook-sender.ts';
import { failureOf, obstacleOf, type Stage } from './failure.ts';

export type VettedTarget = Target & { readonly addresses: readonly string[] };
export type PostLimits = {
	/** How long the connection may take, until the TLS handshake is over. */
	readonly connect_ms: number;
	readonly total_ms: number;
	/** How many 1xx responses may come before the final response. */
	readonly informational: number;
	/** After this many bytes of the body, we stop reading and destroy the socket. */
	readonly read_bytes: number;
	/** How many bytes of the body are kept. */
	readonly kept_bytes: number;
};
/**
 * The request was not sent: before its first byte was written, a connection from the pool turned out to be closed, too old,
 * or connected to another address. Sending the request over another connection cannot duplicate it.
 */
type NotSent = { readonly kind: 'not_sent' };
type PostOptions = {
	readonly agent: Agent;
	readonly limits: PostLimits;
	readonly dns_ms: number | null;
	/** Whether an idle connection may be used again. */
	readonly isFresh: (idle: Socket) => boolean;
};

/** Sends one POST over TLS to an address that was checked before. Returns a result in every case and never throws. */
export function post(
	target: VettedTarget,
	webhook: WebhookRequest,
	options: PostOptions,
): Promise<SendResult | NotSent> {
	const { limits } = options;
	return new Promise((resolve) => {
		const clock = phases(options.dns_ms);
		let isWritten = false;
		const finish = (outcome: SendResult | NotSent): void => {
			clearTimeout(connecting);
			clearTimeout(whole);
			request.socket?.off('data', keepLast);
			resolve(outcome);
		};
		const giveUp = (): void => {
			finish({ kind: 'not_sent' });
			request.destroy();
		};
		let final: IncomingMessage | null = null;
		let packet: Buffer = Buffer.alloc(0);
		const keepLast = (bytes: Buffer): void => {
			packet = bytes;
		};
		const fail = (obstacle: Obstacle): void => {
			// If the response is already complete, the problem is about bytes after the response (RFC 9112 section 6.3), and
			// does not count. The response's 'end' event still comes.
			if (final?.complete) return void request.socket?.destroy();
			finish(failureOf(obstacle, clock.timings()));
			request.destroy();
		};
		const request = open(target, webhook, options.agent);
		const connecting = setTimeout(() => fail({ error: 'connect_timeout' }), limits.connect_ms);
		const whole = setTimeout(() => fail({ error: 'timeout' }), limits.total_ms);
		request.on('error', (error) => {
			if (request.reusedSocket && !isWritten) giveUp();
			else fail(obstacleOf(error, request.reusedSocket ? 'ready' : clock.stage()));
		});
		let informational = 0;
		request.on('information', () => {
			informational += 1;
			if (informational > limits.informational) fail({ error: 'invalid_response' });
		});
		// An upgrade is an invalid response, because we did not ask for another protocol.
		request.on('upgrade', (_response, socket) => {
			socket.destroy();
			fail({ error: 'invalid_response' });
		});
		request.on('response', (response) => {
			// The receiver sent data before our request. On a connection from the pool, this is the rest of an earlier
			// response, or a message that closes the idle connection. So the request can be sent over another connection.
			if (!isWritten) return request.reusedSocket ? giveUp() : fail({ error: 'invalid_response' });
			clock.mark('first_byte');
			final = response;
			readBody(response, limits, (body, tail) => {
				const { statusCode: status = 0, headers } = response;
				if (!isWhole(packet, tail)) request.socket?.destroy();
				if (body === null) fail({ error: 'connection_reset' });
				else finish({ kind: 'response', status, headers: decisive(headers), body, timings: clock.timings() });
			});
		});
		onReady(request, clock, (socket) => {
			const leadsThere = target.addresses.some((address) => sameAddress(address, socket.remoteAddress ?? ''));
			if (request.reusedSocket && !(leadsThere && options.isFresh(socket))) {
				giveUp();
			} else if (leadsThere) {
				clearTimeout(connecting);
				socket.on('data', keepLast);
				isWritten = true;
				request.end(webhook.body);
			} else fail({ error: 'target_blocked', reason: 'The connection led to another address.' });
		});
	});
}

function open(target: VettedTarget, { headers, body }: WebhookRequest, agent: Agent): ClientRequest {
	return request({
		agent,
		method: 'POST',
		host: target.host,
		port: target.port,
		path: `${target.url.pathname}${target.url.search}`,
		...(target.literal ? {} : { servername: target.host }),
		headers: {
			host: target.url.host,
			'content-length': Buffer.byteLength(body),
			// Some firewalls refuse requests without this header.
			accept: '*/*',
			'accept-encoding': 'identity',
			...headers,
		},
		// Connect only to the addresses that were checked, and never look up the name again.
		lookup: (_host, { all }, answer) => {
			const addresses = target.addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
			const [first] = addresses;
			if (all) answer(null, addresses);
			else answer(null, first?.address ?? '', first?.family);
		},
	});
}

/**
 * Calls `then` when the request may be written. On a connection that was already open, this function waits until the event
 * loop has seen whether the receiver has closed the connection.
 */
function onReady(request: ClientRequest, clock: ReturnType<typeof phases>, then: (socket: Socket) => void): void {
	request.on('socket', (socket) => {
		// Wait for one full turn of the event loop. During this turn, Node notices if the receiver has closed the idle
		// connection.
		if (request.reusedSocket) return void setImmediate(() => setImmediate(() => request.destroyed || then(socket)));
		socket.once('connect', () => {
			clock.mark('connect');
			// Read the address now: it is not available once the connection has closed.
			void socket.remoteAddress;
		});
		socket.once('secureConnect', () => {
			clock.mark('tls');
			then(socket);
		});
	});
}

/**
 * Reads the body to its end or to the maximum, without decompressing it. Null if the body is incomplete. `tail` is the last
 * piece of the body that arrived. `tail` is empty if the body has a transfer encoding.
 */
function readBody(
	response: IncomingMessage,
	limits: PostLimits,
	done: (body: string | null, tail: Buffer) => void,
): void {
	const chunks: Buffer[] = [];
	let size = 0;
	const isChunked = response.headers['transfer-encoding'] !== undefined;
	const finish = (): void => {
		const tail = (!isChunked && chunks.at(-1)) || Buffer.alloc(0);
		done(Buffer.concat(chunks).subarray(0, limits.kept_bytes).toString('utf8'), tail);
	};
	response.on('data', (chunk: Buffer) => {
		chunks.push(chunk);
		size += chunk.length;
		if (size < limits.read_bytes) return;
		finish();
		response.destroy();
	});
	response.on('end', finish);
	// This event also occurs if the connection closes before the end of the body.
	response.on('error', () => done(null, Buffer.alloc(0)));
}

/**
 * Whether the response's last packet contains nothing after the response. Node's parser ignores line ends after a response,
 * and even the beginning of another response. But such bytes belong to another message, so the connection cannot be used
 * again. Returns false if this is uncertain, for example because a blank line is divided between two packets.
 */
function isWhole(packet: Buffer, tail: Buffer): boolean {
	const before = packet.subarray(0, packet.length - tail.length);
	const isLast = packet.subarray(before.length).equals(tail);
	return (
		isLast &&
		(/[^\n]\r\n\r\n$/.test(before.subarray(-5).toString('latin1')) || (before.length === 0 && tail.length > 0))
	);
}

/** The response headers that say who answered and why, or when to retry. */
function decisive(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
	const sent = DECISIVE_HEADERS.flatMap((name) => {
		const value = headers[name];
		return value === undefined ? [] : [[name, String(value)] as const];
	});
	return Object.fromEntries(sent);
}

type Phase = 'connect' | 'tls' | 'first_byte';

/**
 * How long each phase took, in milliseconds. Null if the phase was not reached, or if an open connection did not need the
 * phase.
 */
function phases(dns_ms: number | null) {
	const startedMs = performance.now();
	const at: { [P in Phase]?: number } = {};
	const between = (from: number | undefined, to: number | undefined): number | null =>
		from === undefined || to === undefined ? null : Math.round(to - from);
	return {
		mark(phase: Phase): void {
			at[phase] ??= performance.now();
		},
		stage(): Stage {
			if (at.tls !== undefined) return 'ready';
			return at.connect === undefined ? 'connecting' : 'handshake';
		},
		timings: (): PhaseTimings => ({
			dns_ms,
			connect_ms: between(startedMs, at.connect),
			tls_ms: between(at.connect, at.tls),
			first_byte_ms: between(at.tls ?? startedMs, at.first_byte),
			total_ms: Math.round(performance.now() - startedMs) + (dns_ms ?? 0),
		}),
	};
}
