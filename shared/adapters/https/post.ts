import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Agent, request } from 'node:https';
import type { SendResult } from '../../domain/attempt-outcome.ts';
import type { PhaseTimings } from '../../domain/delivery.ts';
import type { Target } from '../../domain/target-address.ts';
import type { WebhookRequest } from '../../ports/webhook-sender.ts';
import { failure, failureOf } from './failure.ts';

export type PostLimits = {
	/** Until the TLS handshake is over. */
	readonly connect_ms: number;
	/** To the last byte of the body. */
	readonly total_ms: number;
	/** Read at most; then the socket is destroyed. */
	readonly read_bytes: number;
	/** Kept of what was read. */
	readonly kept_bytes: number;
	/** 1xx answers before the real one. */
	readonly informational: number;
};
export type Posted = {
	readonly outcome: SendResult /** A kept connection was found closed: nothing was answered. */;
	readonly stale: boolean;
};

/** One POST over TLS to an address that was vetted, and everything that can come of it. Never throws. */
export function post(
	target: Target & { readonly address: string },
	{ headers, body }: WebhookRequest,
	options: {
		readonly agent: Agent;
		readonly limits: PostLimits;
		readonly dns_ms: number | null;
		readonly checkAddress: (address: string) => boolean;
	},
): Promise<Posted> {
	const { limits } = options;
	return new Promise((resolve) => {
		const clock = phases(options.dns_ms);
		let settled = false;
		const settle = (outcome: SendResult, stale = false): void => {
			if (settled) return;
			settled = true;
			clearTimeout(connecting);
			clearTimeout(whole);
			resolve({ outcome, stale });
		};
		const fail = (why: ReturnType<typeof failure>, stale = false): void => {
			settle({ kind: 'failure', ...why, timings: clock.timings() }, stale);
			sent.destroy();
		};
		const sent: ClientRequest = request({
			agent: options.agent,
			method: 'POST',
			host: target.host,
			port: target.port,
			path: `${target.url.pathname}${target.url.search}`,
			...(target.literal ? {} : { servername: target.host }),
			headers: {
				host: target.url.host,
				'content-length': Buffer.byteLength(body),
				'accept-encoding': 'identity',
				...headers,
			},
			// The vetted address is the one connected to, whatever a second lookup would say.
			lookup: (_host, { all }, answer) => {
				const family = target.address.includes(':') ? 6 : 4;
				if (all) answer(null, [{ address: target.address, family }]);
				else answer(null, target.address, family);
			},
		});
		const connecting = setTimeout(() => fail(failure('connect_timeout')), limits.connect_ms);
		const whole = setTimeout(() => fail(failure('timeout')), limits.total_ms);
		let informational = 0;
		sent.on('information', () => {
			informational += 1;
			if (informational > limits.informational) fail(failure('invalid_response'));
		});
		sent.on('error', (error) =>
			fail(
				failureOf(error, clock.connected()),
				sent.reusedSocket && !clock.answered() && failureOf(error, true).error === 'connection_reset',
			),
		);
		sent.on('response', (response) => {
			clock.mark('first_byte');
			read(response, limits, (outcome) => {
				if (outcome === 'cut') fail(failure('connection_reset'));
				else settle({ kind: 'response', ...outcome, timings: clock.timings() });
			});
		});
		onceConnected(sent, clock, () => {
			clearTimeout(connecting);
			// Checked again on the socket itself, before a byte is written; also on a kept one.
			if (options.checkAddress(sent.socket?.remoteAddress ?? '')) sent.end(body);
			else fail(failure('target_blocked'));
		});
	});
}

type Phase = 'connect' | 'tls' | 'first_byte';

/** Milliseconds of each phase; null for one that was not reached, or that a kept connection did not need. */
function phases(dns_ms: number | null) {
	const started = performance.now();
	const at: { [P in Phase]?: number } = {};
	const between = (from: number | undefined, to: number | undefined): number | null =>
		from === undefined || to === undefined ? null : Math.round(to - from);
	return {
		mark: (phase: Phase): void => {
			at[phase] ??= performance.now();
		},
		connected: () => at.tls !== undefined,
		answered: () => at.first_byte !== undefined,
		timings: (): PhaseTimings => ({
			dns_ms,
			connect_ms: between(started, at.connect),
			tls_ms: between(at.connect, at.tls),
			first_byte_ms: between(at.tls ?? started, at.first_byte),
			total_ms: Math.round(performance.now() - started) + (dns_ms ?? 0),
		}),
	};
}

function onceConnected(sent: ClientRequest, clock: ReturnType<typeof phases>, then: () => void): void {
	sent.on('socket', (socket) => {
		if (!socket.connecting && sent.reusedSocket) return then();
		socket.once('connect', () => clock.mark('connect'));
		socket.once('secureConnect', () => {
			clock.mark('tls');
			then();
		});
	});
}

type Answer = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** Reads to the end, or as much as is read at most. The body is never decompressed. */
function read(response: IncomingMessage, limits: PostLimits, done: (answer: Answer | 'cut') => void): void {
	const chunks: Buffer[] = [];
	let size = 0;
	const answer = (): Answer => ({
		status: response.statusCode ?? 0,
		headers: pick(response, ['retry-after', 'location']),
		body: Buffer.concat(chunks).subarray(0, limits.kept_bytes).toString('utf8'),
	});
	response.on('data', (chunk: Buffer) => {
		chunks.push(chunk);
		size += chunk.length;
		if (size < limits.read_bytes) return;
		done(answer());
		response.destroy();
	});
	response.on('end', () => done(answer()));
	response.on('close', () => done(response.complete ? answer() : 'cut'));
	response.on('error', () => done('cut'));
}

function pick(response: IncomingMessage, names: readonly string[]): Record<string, string> {
	const found = names.map((name) => [name, response.headers[name]] as const);
	return Object.fromEntries(found.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}
