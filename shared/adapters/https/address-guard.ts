import { lookup } from 'node:dns/promises';
import { decideAddress, isExempt, parseTarget, type Target } from '../../domain/target-address.ts';
import type { TargetCheck } from '../../ports/webhook-sender.ts';

/** All addresses of a host name; rejects with a `code` as node:dns does. */
export type Resolve = (host: string) => Promise<readonly string[]>;
/** What the guard found: the address to connect to, or why there is none. */
export type Vetted =
	| { readonly vetted: Target & { readonly address: string } }
	| { readonly blocked: string }
	| { readonly unresolved: 'dns_not_found' | 'dns_failed' };

export const systemResolve: Resolve = async (host) => {
	const found = await lookup(host, { all: true, order: 'verbatim' });
	return found.map(({ address }) => address);
};

const NOT_FOUND_CODES = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME']);

async function within<T>(promise: Promise<T>, timeout_ms: number): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(Object.assign(new Error('no answer'), { code: 'ETIMEOUT' })), timeout_ms);
	});
	try {
		return await Promise.race([promise, late]);
	} finally {
		clearTimeout(timer);
	}
}

function codeOf(error: unknown): string {
	return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/**
 * Where a URL leads right now: its spelling, then every address that its name has. One refused address refuses all, so
 * a name cannot be steered between lookups; the address given here is the one to connect to.
 */
export async function vet(
	url: string,
	options: { readonly exempt: readonly string[]; readonly resolve: Resolve; readonly timeout_ms: number },
): Promise<Vetted> {
	const parsed = parseTarget(url, options.exempt);
	if ('allowed' in parsed) return { blocked: parsed.reason };
	const { target } = parsed;
	if (target.literal) return { vetted: { ...target, address: target.host } };
	let addresses: readonly string[];
	try {
		addresses = await within(options.resolve(target.host), options.timeout_ms);
	} catch (error) {
		return { unresolved: NOT_FOUND_CODES.has(codeOf(error)) ? 'dns_not_found' : 'dns_failed' };
	}
	const [address] = addresses;
	if (address === undefined) return { unresolved: 'dns_not_found' };
	if (isExempt(target, options.exempt)) return { vetted: { ...target, address } };
	const refused = addresses.map(decideAddress).find((decision) => !decision.allowed);
	return refused && !refused.allowed ? { blocked: refused.reason } : { vetted: { ...target, address } };
}

/** A name that does not resolve now may do so later: only what leads to a refused place is refused. */
export function asCheck(vetted: Vetted): TargetCheck {
	return 'blocked' in vetted ? { allowed: false, reason: vetted.blocked } : { allowed: true };
}
