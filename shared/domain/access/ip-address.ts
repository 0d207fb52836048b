import { ipv6Groups } from '../webhooks/ssrf-guard.ts';

/**
 * What rate limits count as one address: an IPv4 address, or the /64 of an IPv6 address, because one subscriber has the
 * whole /64. An IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2) counts as the IPv4 address in it. Any other text is
 * returned unchanged.
 */
export function addressKey(sourceIp: string): string {
	const groups = groupsOf(sourceIp);
	if (groups === null) return sourceIp;
	return isMapped(groups) ? ipv4(groups.slice(6)) : `${groups.slice(0, 4).join(':')}::/64`;
}

/** The /48 of an IPv6 address. One site usually gets no more than a /48 (RFC 6177). Null for any other address. */
export function networkKey(sourceIp: string): string | null {
	const groups = groupsOf(sourceIp);
	return groups === null || isMapped(groups) ? null : `${groups.slice(0, 3).join(':')}::/48`;
}

function groupsOf(sourceIp: string): readonly string[] | null {
	const [address = ''] = sourceIp.split('%');
	return ipv6Groups(address);
}

function isMapped(groups: readonly string[]): boolean {
	return groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
}

function ipv4(groups: readonly string[]): string {
	return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.');
}
