import { setTimeout as pause } from 'node:timers/promises';
import { isExempt, isPublic, NOT_PUBLIC, parseTarget, type Target } from '../../domain/webhooks/target-address.ts';
import { isNotFound, type Resolve } from './resolve.ts';

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
