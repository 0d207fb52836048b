import { Agent } from 'node:https';
import { rootCertificates } from 'node:tls';
import type { SendResult } from '../../domain/attempt-outcome.ts';
import { decideAddress, isExempt } from '../../domain/target-address.ts';
import type { WebhookRequest, WebhookSender } from '../../ports/webhook-sender.ts';
import { asCheck, type Resolve, systemResolve, vet } from './address-guard.ts';
import { failure } from './failure.ts';
import { type PostLimits, post } from './post.ts';

export type SenderOptions = {
	/** `host:port` that skip the address guard: one machine only. */
	readonly allowed_webhook_hosts: readonly string[];
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

/** Sends webhooks over HTTPS, each to an address that was vetted for it. Connections are kept while the container is warm. */
export function httpsSender(options: SenderOptions): WebhookSender {
	const exempt = options.allowed_webhook_hosts;
	const guard = { exempt, resolve: options.resolve ?? systemResolve, timeout_ms: options.dns_ms ?? DNS_MS };
	const limits = options.limits ?? LIMITS;
	const ca = options.trusted_ca_pem === null ? {} : { ca: [...rootCertificates, options.trusted_ca_pem] };
	const connections = { maxCachedSessions: 100, ...ca };
	const kept = new Agent({ ...connections, keepAlive: true, maxFreeSockets: 50, timeout: 60_000 });
	const fresh = new Agent({ ...connections, keepAlive: false });

	async function send(request: WebhookRequest): Promise<SendResult> {
		const started = performance.now();
		const found = await vet(request.url, guard);
		const dns_ms = Math.round(performance.now() - started);
		const timings = { dns_ms, connect_ms: null, tls_ms: null, first_byte_ms: null, total_ms: dns_ms };
		if ('blocked' in found) return { kind: 'failure', error: 'target_blocked', hint: found.blocked, timings };
		if ('unresolved' in found) return { kind: 'failure', ...failure(found.unresolved), timings };
		const target = found.vetted;
		const checkAddress = (address: string) => isExempt(target, exempt) || decideAddress(address).allowed;
		const how = { limits, dns_ms: target.literal ? null : dns_ms, checkAddress };
		const first = await post(target, request, { ...how, agent: kept });
		// A kept connection that the receiver had closed meanwhile is no failed attempt: it never saw the request.
		return first.stale ? (await post(target, request, { ...how, agent: fresh })).outcome : first.outcome;
	}

	return { send, check: async (url) => asCheck(await vet(url, guard)) };
}
