import { lookup, Resolver } from 'node:dns/promises';

/** All addresses of a host name; rejects with a `code` as node:dns does. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Two tries, the second twice as long: both are over within the guard's 2 s. */
const QUERY = { timeout: 500, tries: 2 } as const;

/** IPv4 first: functions have no IPv6 of their own. Only what neither family has is an error. */
async function ask(resolver: Resolver, host: string): Promise<readonly string[]> {
	const asked = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
	const found = asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
	const errors = asked.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
	if (found.length > 0 || errors.length === 0) return found;
	// "No such name" only if both families say so: the other one may just have been slow.
	throw errors.find((error) => !isNotFound(error)) ?? errors[0];
}

const NOT_FOUND_CODES = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME']);

/** Whether the look-up found that the name has no address, rather than failed. */
export function isNotFound(error: unknown): boolean {
	const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
	return NOT_FOUND_CODES.has(code);
}

/**
 * Asks the name servers themselves, not the operating system (docs/decisions says why): no search domains or hosts file, and slow
 * names hold no thread that the look-ups of others wait for. `servers`: others than the system's, `address:port`.
 */
export function publicResolve(servers?: readonly string[]): Resolve {
	const resolver = new Resolver(QUERY);
	if (servers !== undefined) resolver.setServers(servers);
	return (host) => ask(resolver, host);
}

/** As every program of this machine finds a host: for those that it has exempted by name. */
export const localResolve: Resolve = async (host) => {
	const found = await lookup(host, { all: true, order: 'verbatim' });
	return found.map(({ address }) => address);
};
