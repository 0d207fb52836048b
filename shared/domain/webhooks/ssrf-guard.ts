import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** Where an allowed URL leads. `literal`: the host is an IP address. */
export type Target = { readonly url: URL; readonly host: string; readonly port: number; readonly literal: boolean };
/** What is wrong with a refused URL, as a code, for callers that show a text of their own instead of `reason`. */
export type TargetFault = 'malformed' | 'not_https' | 'credentials' | 'fragment' | 'not_public' | 'port';
/** Why a URL is refused. `reason` never names an internal address. */
export type RefusedTarget = { readonly fault: TargetFault; readonly reason: string };
/** The guard's verdict on a URL. */
export type TargetParse = { readonly target: Target } | RefusedTarget;

const MAX_URL_CHARS = 2048;
const HTTPS_PORT = 443;
const FIRST_UNPRIVILEGED_PORT = 1024;
/** Ports of databases, caches, orchestrators and remote desktops. No webhook receiver uses them. */
const DENIED_PORTS = new Set([
	1433, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 5432, 5672, 5900, 5984, 6379, 6443, 7000, 7001,
	8500, 9042, 9092, 9200, 9300, 10250, 11211, 15672, 25672, 27017,
]);
/** Top-level names that are local (RFC 6761, RFC 6762), reserved (RFC 7686, RFC 9476) or used for infrastructure. */
const NEVER_PUBLIC =
	/(^|\.)(localhost|localdomain|local|internal|lan|home|corp|intranet|private|test|invalid|onion|alt|arpa)$/;
const MAX_HOST_CHARS = 253;
/**
 * One part of a host name (RFC 1035 section 2.3.4). Underscores are accepted: host names must not have them, but real name
 * servers and certificates do.
 */
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

export const NOT_PUBLIC: RefusedTarget = {
	fault: 'not_public',
	reason: 'The host leads to an address that is not on the public internet.',
};

/** The host of a URL, without brackets and without a dot at the end. */
function bareHost(url: URL): string {
	return url.hostname.replace(/[[\]]/g, '').replace(/\.$/, '');
}

const refused = (fault: TargetFault, reason: string): RefusedTarget => ({ fault, reason });

function refusedHost(host: string, literal: boolean): RefusedTarget | null {
	if (literal) return isPublic(host) ? null : NOT_PUBLIC;
	const labels = host.split('.');
	if (host.length > MAX_HOST_CHARS || !labels.every((label) => LABEL.test(label))) {
		return refused('malformed', 'The host name is malformed.');
	}
	if (labels.length === 1) return refused('not_public', 'The host needs a public name with at least one dot.');
	if (!NEVER_PUBLIC.test(host)) return null;
	return refused('not_public', 'The host name is local or reserved, never public.');
}

function refusedPort(port: number): RefusedTarget | null {
	const usual = port === HTTPS_PORT || port >= FIRST_UNPRIVILEGED_PORT;
	return usual && !DENIED_PORTS.has(port) ? null : refused('port', `Port ${port} is not allowed.`);
}

/**
 * Whether webhooks may go to a URL, as far as its text shows: https, no credentials, no fragment, a public name, an allowed
 * port. `target.url` is the URL's normal form (WHATWG URL), which we store. The URL is parsed only here: all other code uses
 * the parsed fields. `exempt` hosts (`host:port`, only in the local stack) need not follow the rules about name and port.
 */
export function parseTarget(text: string, exempt: readonly string[]): TargetParse {
	if (text.length > MAX_URL_CHARS || /[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) {
		return refused('malformed', 'The URL is malformed.');
	}
	const url = new URL(text);
	if (url.href.length > MAX_URL_CHARS) return refused('malformed', 'The URL is too long.');
	if (url.protocol !== 'https:') return refused('not_https', 'The URL must be https.');
	if (url.username !== '' || url.password !== '') return refused('credentials', 'The URL must not hold credentials.');
	if (text.includes('#')) return refused('fragment', 'The URL must not have a fragment.');
	const host = bareHost(url);
	const port = url.port === '' ? HTTPS_PORT : Number(url.port);
	const literal = isIP(host) !== 0;
	const target = { url, host, port, literal };
	if (isExempt(target, exempt)) return { target };
	return refusedHost(host, literal) ?? refusedPort(port) ?? { target };
}

export function isExempt({ host, port }: Target, exempt: readonly string[]): boolean {
	return exempt.includes(`${host}:${port}`);
}

type Block = readonly [prefix: string, bits: number];

function blockList(family: 'ipv4' | 'ipv6', blocks: readonly Block[]): BlockList {
	const list = new BlockList();
	for (const [prefix, bits] of blocks) list.addSubnet(prefix, bits, family);
	return list;
}

/** Addresses that are not on the public internet (IANA's special-purpose registry for IPv4). */
const REFUSED_IPV4 = blockList('ipv4', [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.0.0.0', 24],
	['192.0.2.0', 24],
	['192.31.196.0', 24],
	['192.52.193.0', 24],
	['192.88.99.0', 24],
	['192.168.0.0', 16],
	['192.175.48.0', 24],
	['198.18.0.0', 15],
	['198.51.100.0', 24],
	['203.0.113.0', 24],
	['224.0.0.0', 4],
	['240.0.0.0', 4],
]);
/**
 * The only part of IPv6 that is routed publicly. Mapped, translated, local and unique-local addresses are all outside this
 * part.
 */
const GLOBAL_IPV6 = blockList('ipv6', [['2000::', 3]]);
const REFUSED_IPV6 = blockList('ipv6', [
	['2001::', 23],
	['2001:db8::', 32],
	['2002::', 16],
	['3fff::', 20],
]);

/** Whether a webhook may be sent to an IP address: only if the address is certainly public. */
export function isPublic(address: string): boolean {
	if (isIPv4(address)) return !REFUSED_IPV4.check(address, 'ipv4');
	// An address with a zone (`%eth0`) is link-local.
	if (!isIPv6(address) || address.includes('%')) return false;
	return GLOBAL_IPV6.check(address, 'ipv6') && !REFUSED_IPV6.check(address, 'ipv6');
}

/** Whether two texts are spellings of the same address. */
export function sameAddress(a: string, b: string): boolean {
	const normalForm = (address: string): string => ipv6Groups(address)?.join(':') ?? address;
	return normalForm(a) === normalForm(b);
}

/**
 * The eight groups of an IPv6 address in hexadecimal, from any of its spellings. Null if the text is not an IPv6 address.
 */
export function ipv6Groups(address: string): readonly string[] | null {
	if (!URL.canParse(`http://[${address}]`)) return null;
	const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
	const left = head === '' ? [] : head.split(':');
	const right = tail === undefined || tail === '' ? [] : tail.split(':');
	return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
}
