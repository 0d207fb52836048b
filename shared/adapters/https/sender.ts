import { lookup, Resolver } from 'node:dns/promises';
import { Agent } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { createSecureContext, rootCertificates } from 'node:tls';
import type { SendResult } from '../../domain/webhooks/attempt-outcome.ts';
import { isExempt, isPublic, NOT_PUBLIC, parseTarget, type RefusedTarget } from '../../domain/webhooks/ssrf-guard.ts';
import type { TargetCheck, WebhookRequest, WebhookSender } from '../../ports/webhook-sender.ts';
import { resultCache } from '../result-cache.ts';
import { failureOf } from './failure.ts';
import { type PostLimits, post, type VettedTarget } from './post.ts';

export type SenderOptions = {
	/** `host:port` pairs for which the address guard makes an exception. Only the local stack has such pairs. */
	readonly allowed_webhook_hosts: readonly string[];
	/** A text that is added to the reason of a refusal. */
	readonly webhook_refusal_hint?: string | null;
	/** Further certificate authorities, as PEM. */
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
/**
 * The time limits of a test delivery. These limits are shorter, because the client waits for the result, and because a test
 * keeps its function busy until then.
 */
export const TEST_LIMITS: PostLimits = { ...LIMITS, connect_ms: 3000, total_ms: 5000 };
/**
 * We use a connection again if it has been idle for less than this time. Most servers close an idle connection after 5 s or
 * later, so we rarely use a connection that the server has just closed.
 */
const KEPT_MS = 4000;
/**
 * How long to try one address of a receiver that has several addresses. All of its addresses together have only the time of
 * `connect_ms`.
 */
const ADDRESS_MS = 1500;

/**
 * A pool of connections for the later requests of a warm container. The pool notes when each connection became idle, so
 * that `isFresh` refuses a connection that has been idle for `KEPT_MS`.
 */
function connectionPool(trustedCaPem: string | null) {
	// The context is made only once. Otherwise, Node would read 200 KB of authorities for each connection and, to find an
	// open connection, compare these authorities for each request.
	const ca = trustedCaPem === null ? null : createSecureContext({ ca: [...rootCertificates, trustedCaPem] });
	const agent = new Agent({
		...(ca && { secureContext: ca }),
		keepAlive: true,
		maxFreeSockets: 50,
		timeout: KEPT_MS,
		maxCachedSessions: 100,
		autoSelectFamilyAttemptTimeout: ADDRESS_MS,
	});
	const idle = new WeakMap<Socket, { readonly since_ms: number; readonly bytes: number }>();
	agent.on('free', (socket) => idle.set(socket, { since_ms: Date.now(), bytes: socket.bytesRead }));
	function isFresh(socket: Socket): boolean {
		const { since_ms = 0, bytes } = idle.get(socket) ?? {};
		// Use the wall clock, because timers and the monotonic clock stop while a container is frozen. If bytes have
		// arrived while the connection was idle, they belong to no request, and the connection is not used again.
		return Date.now() - since_ms < KEPT_MS && bytes === socket.bytesRead;
	}
	return { agent, isFresh };
}

/**
 * Resolves host names by querying the name servers directly. Only exempt hosts are resolved by the operating system,
 * because a host of the local stack may be unknown to all name servers.
 */
function resolveFor(exempt: readonly string[]): Resolve {
	const publicly = publicResolve();
	return cachedNames((host) =>
		exempt.some((exemption) => exemption.startsWith(`${host}:`)) ? localResolve(host) : publicly(host),
	);
}

/** Sends webhooks over HTTPS. Each webhook is sent only to an address that was checked. */
export function httpsSender(options: SenderOptions): WebhookSender {
	const exempt = options.allowed_webhook_hosts;
	const guard = { exempt, resolve: options.resolve ?? resolveFor(exempt), timeout_ms: options.dns_ms ?? DNS_MS };
	const limits = options.limits ?? LIMITS;
	const connections = connectionPool(options.trusted_ca_pem);

	async function send(request: WebhookRequest): Promise<SendResult> {
		const startedMs = performance.now();
		const spentMs = () => Math.round(performance.now() - startedMs);
		const vetting = await vet(request.url, guard);
		const dns_ms = spentMs();
		const timings = { dns_ms, connect_ms: null, tls_ms: null, first_byte_ms: null, total_ms: dns_ms };
		if ('blocked' in vetting) return failureOf({ error: 'target_blocked', reason: vetting.blocked.reason }, timings);
		if ('unresolved' in vetting) return failureOf({ error: vetting.unresolved }, timings);
		const target = vetting.vetted;
		const once = { ...connections, dns_ms: target.literal ? null : dns_ms };
		for (;;) {
			const remaining = { ...limits, total_ms: Math.max(0, limits.total_ms - spentMs()) };
			const result = await post(target, request, { ...once, limits: remaining });
			// The open connection could not be used and is closed, and the receiver has not seen the request. Send the
			// request over another connection.
			if (result.kind !== 'not_sent') return result;
		}
	}

	/**
	 * Checks whether webhooks may be sent to a URL. If its host name cannot be resolved, the URL is allowed, because the
	 * name may resolve later.
	 */
	async function check(url: string): Promise<TargetCheck> {
		const vetting = await vet(url, guard);
		if (!('blocked' in vetting)) return { allowed: true, url: new URL(url).href };
		const { webhook_refusal_hint: hint = null } = options;
		return { allowed: false, ...vetting.blocked, ...(hint !== null && { hint }) };
	}
	return { send, check };
}

// The address guard decides to which addresses a request may connect.

/** Resolves a host name to all of its addresses. Rejects with an error that has a `code`, like node:dns. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Two tries, of which the second is twice as long. Both end within the guard's 2 s. */
const QUERY = { timeout: 500, tries: 2 } as const;

/**
 * Once a name's IPv4 addresses are known, how long to wait for its IPv6 addresses (as in RFC 8305 section 3). Some name servers
 * do not answer queries for IPv6 addresses. Without this limit, each look-up at such a server would take the time of both
 * tries.
 */
const IPV6_WAIT_MS = 250;

type Answer = PromiseSettledResult<readonly string[]>;
const NONE: Answer = { status: 'fulfilled', value: [] };

async function settled(query: Promise<readonly string[]>): Promise<Answer> {
	const [answer = NONE] = await Promise.allSettled([query]);
	return answer;
}

/**
 * Resolves to no addresses after IPV6_WAIT_MS, but only after Node has handled the DNS answers that have arrived by then.
 */
async function ipv6Wait(): Promise<Answer> {
	await pause(IPV6_WAIT_MS, null, { ref: false });
	return setImmediate(NONE);
}

/**
 * All addresses of a host. The IPv4 addresses come first, because Lambda functions have no IPv6 address. Throws only if a
 * query has failed and no address was found.
 */
async function ask(resolver: Resolver, host: string): Promise<readonly string[]> {
	const pending = settled(resolver.resolve6(host));
	const ipv4 = await settled(resolver.resolve4(host));
	const hasIpv4 = ipv4.status === 'fulfilled' && ipv4.value.length > 0;
	const answers = [ipv4, await (hasIpv4 ? Promise.race([pending, ipv6Wait()]) : pending)];
	const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
	const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
	if (addresses.length > 0 || errors.length === 0) return addresses;
	// Report "no such name" only if both queries found no name. If one query failed in another way, the name server may
	// only have been slow.
	throw errors.find((error) => !isNotFound(error)) ?? errors[0];
}

const NOT_FOUND_CODES = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME']);

/** Whether the name server answered that there is no address. */
export function isNotFound(error: unknown): boolean {
	const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
	return NOT_FOUND_CODES.has(code);
}

/**
 * Queries the name servers directly instead of asking the operating system (docs/decisions/0008). So search domains and the
 * hosts file are not used, and slow look-ups do not block a thread that other look-ups need. `servers`, as `address:port`,
 * replace the name servers of the system.
 */
export function publicResolve(servers?: readonly string[]): Resolve {
	const resolver = new Resolver(QUERY);
	if (servers !== undefined) resolver.setServers(servers);
	return (host) => ask(resolver, host);
}

/**
 * Resolves a host in the same way as other programs on the machine. Used for hosts that the local stack has exempted by
 * name.
 */
export const localResolve: Resolve = async (host) => {
	const addresses = await lookup(host, { all: true, order: 'verbatim' });
	return addresses.map(({ address }) => address);
};

/**
 * Names are cached as long as idle connections are kept. So if a receiver moves, the first delivery after this time reaches
 * its new address.
 */
const FRESH_MS = 4000;
/** How many names are cached. One function delivers to many hosts. */
const MOST_NAMES = 1000;

/** Caches a host's addresses for 4 s by the wall clock, because other clocks stop while a container is frozen. */
export function cachedNames(resolve: Resolve, now: () => number = Date.now): Resolve {
	const cache = resultCache<readonly string[]>({ most: MOST_NAMES, fresh_ms: FRESH_MS, now });
	return (host) => cache(host, () => resolve(host));
}

/**
 * What the guard has decided: the addresses to connect to, why the URL is refused, or why its host name could not be
 * resolved.
 */
export type VettingResult =
	| { readonly vetted: VettedTarget }
	| { readonly blocked: RefusedTarget }
	| { readonly unresolved: 'dns_not_found' | 'dns_failed' };

/**
 * Checks the text of a URL, and then every address that its host has now. If one address is refused, the whole URL is
 * refused. The caller must connect only to the addresses that this function returns. So an attacker gains nothing by
 * changing the name's addresses between look-ups.
 */
export async function vet(
	url: string,
	options: { readonly exempt: readonly string[]; readonly resolve: Resolve; readonly timeout_ms: number },
): Promise<VettingResult> {
	const parse = parseTarget(url, options.exempt);
	if (!('target' in parse)) return { blocked: parse };
	const { target } = parse;
	if (target.literal) return { vetted: { ...target, addresses: [target.host] } };
	let addresses: readonly string[] | null;
	try {
		addresses = await Promise.race([options.resolve(target.host), pause(options.timeout_ms, null, { ref: false })]);
	} catch (error) {
		return { unresolved: isNotFound(error) ? 'dns_not_found' : 'dns_failed' };
	}
	if (addresses === null) return { unresolved: 'dns_failed' };
	if (addresses.length === 0) return { unresolved: 'dns_not_found' };
	if (isExempt(target, options.exempt)) return { vetted: { ...target, addresses } };
	return addresses.every(isPublic) ? { vetted: { ...target, addresses } } : { blocked: NOT_PUBLIC };
}
