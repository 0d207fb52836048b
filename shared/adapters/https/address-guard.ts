import { lookup, Resolver } from 'node:dns/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { isExempt, isPublic, NOT_PUBLIC, parseTarget, type Target } from '../../domain/webhooks/target-address.ts';
import { answerCache } from '../system/answer-cache.ts';

/** Resolves all addresses of a host name; rejects with a `code`, as node:dns does. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Two tries, the second twice as long: both end within the guard's 2 s. */
const QUERY = { timeout: 500, tries: 2 } as const;

/** IPv4 first, because functions have no IPv6 address. It is an error only if neither family has an address. */
async function ask(resolver: Resolver, host: string): Promise<readonly string[]> {
	const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
	const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
	const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
	if (addresses.length > 0 || errors.length === 0) return addresses;
	// "No such name" only if both families report it: the other one may just have been slow.
	throw errors.find((error) => !isNotFound(error)) ?? errors[0];
}

const NOT_FOUND_CODES = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME']);

/** Whether the look-up succeeded and found no address. */
export function isNotFound(error: unknown): boolean {
	const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
	return NOT_FOUND_CODES.has(code);
}

/**
 * Queries the name servers directly, not the operating system (docs/decisions/0008): without search domains or hosts file,
 * and slow names block no thread that other look-ups need. `servers`: replace the system's, as `address:port`.
 */
export function publicResolve(servers?: readonly string[]): Resolve {
	const resolver = new Resolver(QUERY);
	if (servers !== undefined) resolver.setServers(servers);
	return (host) => ask(resolver, host);
}

/** Resolves a host as other programs on the machine do: for hosts that the local stack has exempted by name. */
export const localResolve: Resolve = async (host) => {
	const addresses = await lookup(host, { all: true, order: 'verbatim' });
	return addresses.map(({ address }) => address);
};

/** The same time as for connections: the first delivery after it finds a receiver that has moved. */
const FRESH_MS = 4000;
/** The size of the cache, because a deliver function serves many hosts. */
const MOST_NAMES = 1000;

/**
 * Looks up a host's addresses once for all deliveries of the next 4 s, by the wall clock: other clocks stop in a frozen
 * container.
 */
export function cachedNames(resolve: Resolve, now: () => number = Date.now): Resolve {
	const cache = answerCache<readonly string[]>({ most: MOST_NAMES, fresh_ms: FRESH_MS, now });
	return (host) => cache(host, () => resolve(host));
}

/** The addresses to which a request to the URL may connect. */
export type VettedTarget = Target & { readonly addresses: readonly string[] };
/** The guard's result: the addresses to connect to, or the reason why there are none. */
export type VettingResult =
	| { readonly vetted: VettedTarget }
	| { readonly blocked: string }
	| { readonly unresolved: 'dns_not_found' | 'dns_failed' };

/**
 * Vets a URL: its text, then every current address of its host. One refused address refuses all, so that an attacker cannot
 * redirect a name between look-ups; the caller connects to the returned addresses only.
 */
export async function vet(
	url: string,
	options: { readonly exempt: readonly string[]; readonly resolve: Resolve; readonly timeout_ms: number },
): Promise<VettingResult> {
	const parse = parseTarget(url, options.exempt);
	if ('reason' in parse) return { blocked: parse.reason };
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
