import { ipv6Groups } from '../kernel/ip-address.ts';

/**
 * What an address is limited by: an IPv4 address itself, of an IPv6 address its /64 (one subscriber has the whole of
 * it), of an IPv4 address written as IPv6 (RFC 4291 section 2.5.5.2) the IPv4 address. Anything else is kept as given.
 */
export function addressKey(source_ip: string): string {
	const groups = groupsOf(source_ip);
	if (groups === null) return source_ip;
	return isMapped(groups) ? ipv4(groups.slice(6)) : `${groups.slice(0, 4).join(':')}::/64`;
}

/**
 * The /48 around an IPv6 address: what one site is given (RFC 6177), which holds 65,536 of the /64s above. Null for IPv4,
 * and for what is no address.
 */
export function networkKey(source_ip: string): string | null {
	const groups = groupsOf(source_ip);
	return groups === null || isMapped(groups) ? null : `${groups.slice(0, 3).join(':')}::/48`;
}

function groupsOf(source_ip: string): readonly string[] | null {
	const [address = ''] = source_ip.split('%');
	return ipv6Groups(address);
}

function isMapped(groups: readonly string[]): boolean {
	return groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
}

function ipv4(groups: readonly string[]): string {
	return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.');
}
