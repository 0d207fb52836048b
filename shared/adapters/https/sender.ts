import { Agent } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import type { SendResult } from '../../domain/webhooks/attempt-outcome.ts';
import type { TargetCheck, WebhookRequest, WebhookSender } from '../../ports/webhook-sender.ts';
import { cachedNames, localResolve, publicResolve, type Resolve, vet } from './address-guard.ts';
import { failureOf } from './failure.ts';
import { type PostLimits, post } from './post.ts';

export type SenderOptions = {
	/** `host:port` pairs that skip the address guard: local stack only. */
	readonly allowed_webhook_hosts: readonly string[];
	/** Appended to the reason of a refusal. */
	readonly webhook_refusal_hint?: string | null;
	/** Further certificate authorities, PEM. */
	readonly trusted_ca_pem: string | null;
	readonly resolve?: Resolve;
	readonly dns_ms?: number;
	readonly limits?: PostLimits;
};

const DNS_MS = 2000;
export const LIMITS: PostLimits = {
	connect_ms: 5000,
	total_ms: 15_000,
	read_bytes: 16 * 1024,
	kept_bytes: 4 * 1024,
	informational: 20,
};
/** The time limit of a test, because the client waits for it and few functions are available for tests. */
export const TEST_LIMITS: PostLimits = { ...LIMITS, connect_ms: 3000, total_ms: 5000 };
/** Most servers close an idle connection after 5 s or more, so a connection that is kept for less is rarely closed. */
const KEPT_MS = 4000;
/** The time limit for each address of a receiver with several; all of them share the time to connect. */
const ADDRESS_MS = 1500;

/** Connections that are kept while the container is warm, each with the time at which it became idle. */
function connectionPool(trusted_ca_pem: string | null) {
	// Created once: otherwise Node reads 200 KB of authorities for each connection and compares them for each request.
	const ca = trusted_ca_pem === null ? null : createSecureContext({ ca: [...rootCertificates, trusted_ca_pem] });
	const pool = { keepAlive: true, maxFreeSockets: 50, timeout: KEPT_MS, maxCachedSessions: 100 };
	const agent = new Agent({ ...(ca && { secureContext: ca }), ...pool, autoSelectFamilyAttemptTimeout: ADDRESS_MS });
	const idle_since = new WeakMap<Socket, number>();
	agent.on('free', (socket) => idle_since.set(socket, Date.now()));
	// By the wall clock, because a frozen container's timers and monotonic clock stop.
	return { agent, isFresh: (socket: Socket) => Date.now() - (idle_since.get(socket) ?? 0) < KEPT_MS };
}

/** On the local stack, an exempted host may be known to this machine only. */
function resolveFor(exempt: readonly string[]): Resolve {
	const publicly = publicResolve();
	return cachedNames((host) =>
		exempt.some((exemption) => exemption.startsWith(`${host}:`)) ? localResolve(host) : publicly(host),
	);
}

/** Sends webhooks over HTTPS, each to a vetted address. */
export function httpsSender(options: SenderOptions): WebhookSender {
	const exempt = options.allowed_webhook_hosts;
	const guard = { exempt, resolve: options.resolve ?? resolveFor(exempt), timeout_ms: options.dns_ms ?? DNS_MS };
	const limits = options.limits ?? LIMITS;
	const connections = connectionPool(options.trusted_ca_pem);

	async function send(request: WebhookRequest): Promise<SendResult> {
		const started_ms = performance.now();
		const spent_ms = () => Math.round(performance.now() - started_ms);
		const vetting = await vet(request.url, guard);
		const dns_ms = spent_ms();
		const timings = { dns_ms, connect_ms: null, tls_ms: null, first_byte_ms: null, total_ms: dns_ms };
		if ('blocked' in vetting) return failureOf({ error: 'target_blocked', reason: vetting.blocked }, timings);
		if ('unresolved' in vetting) return failureOf({ error: vetting.unresolved }, timings);
		const target = vetting.vetted;
		const once = { ...connections, dns_ms: target.literal ? null : dns_ms };
		for (;;) {
			const remaining = { ...limits, total_ms: limits.total_ms - spent_ms() };
			const result = await post(target, request, { ...once, limits: remaining });
			// The kept connection could not be used and is closed, and the receiver never saw the request.
			if (result.kind !== 'not_sent') return result;
		}
	}

	/** A name that does not resolve now may resolve later: this refuses only a URL with a refused target. */
	async function check(url: string): Promise<TargetCheck> {
		const vetting = await vet(url, guard);
		if (!('blocked' in vetting)) return { allowed: true, url: new URL(url).href };
		const hint = options.webhook_refusal_hint ?? null;
		return { allowed: false, reason: hint === null ? vetting.blocked : `${vetting.blocked} ${hint}` };
	}
	return { send, check };
}
