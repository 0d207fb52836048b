import { ipv6Groups } from './ip-address.ts';
import type { WorkspaceLimits } from './workspace.ts';

/** The window of the short limits. Windows are fixed (10:00, 10:10, ...): a counter is one cheap addition. */
const WINDOW_SECONDS = 600;
const DAY_SECONDS = 24 * 3600;

/** A counter to raise in the transaction of the request that it counts, and what it means when it is full. */
export type UsageCount = {
	readonly count: {
		readonly op: 'count';
		readonly counter: string;
		readonly limits: Readonly<Record<string, number>>;
		readonly expires_at_epoch_s: number;
	};
	readonly refusal: { readonly code: 'rate_limited' | 'calls_unavailable'; readonly retry_after_seconds: number };
};

/** `YYYY-MM-DD` in UTC. */
export function utcDay(now_ms: number): string {
	return new Date(now_ms).toISOString().slice(0, 10);
}

function endOf(period_seconds: number, now_ms: number): { readonly epoch_s: number; readonly in_seconds: number } {
	const epoch_s = (Math.floor(now_ms / 1000 / period_seconds) + 1) * period_seconds;
	return { epoch_s, in_seconds: Math.max(1, Math.ceil(epoch_s - now_ms / 1000)) };
}

/** The next midnight UTC. */
export function endOfDay(now_ms: number): { readonly epoch_s: number; readonly in_seconds: number } {
	return endOf(DAY_SECONDS, now_ms);
}

/** One field, one limit: a period that ends at `epoch_s` is part of the counter's name. */
function usageCount(
	name: string,
	limit: number,
	period_seconds: number,
	code: UsageCount['refusal']['code'],
	now_ms: number,
): UsageCount {
	const { epoch_s, in_seconds } = endOf(period_seconds, now_ms);
	const counter = `${name}#${new Date((epoch_s - period_seconds) * 1000).toISOString().slice(0, 16)}`;
	const count = { op: 'count', counter, limits: { used: limit }, expires_at_epoch_s: epoch_s + DAY_SECONDS } as const;
	return { count, refusal: { code, retry_after_seconds: in_seconds } };
}

type Requester = { readonly workspace_id: string; readonly limits: WorkspaceLimits; readonly address_hash: string };

/** What any public request uses up: its address's and its workspace's share of the window. */
export function requestCounts(
	{ workspace_id, limits, address_hash }: Requester,
	now_ms: number,
): readonly UsageCount[] {
	const window = (name: string, limit: number): UsageCount =>
		usageCount(name, limit, WINDOW_SECONDS, 'rate_limited', now_ms);
	return [
		window(`address#${address_hash}`, limits.requests_per_address_per_window),
		window(`workspace#${workspace_id}`, limits.requests_per_workspace_per_window),
	];
}

/** What any call uses up: the workspace's calls of the UTC day. */
export function dailyCount(
	{ workspace_id, limits }: Pick<Requester, 'workspace_id' | 'limits'>,
	now_ms: number,
): UsageCount {
	return usageCount(`calls#${workspace_id}`, limits.calls_per_day, DAY_SECONDS, 'calls_unavailable', now_ms);
}

/** What a call request uses up besides its share of the window. */
export function callCounts(requester: Requester, now_ms: number): readonly UsageCount[] {
	return [...requestCounts(requester, now_ms), dailyCount(requester, now_ms)];
}

/**
 * What an address is limited by: an IPv4 address itself, of an IPv6 address its /64 (one subscriber has the whole of
 * it), of an IPv4 address written as IPv6 (RFC 4291 section 2.5.5.2) the IPv4 address. Anything else is kept as given.
 */
export function addressKey(source_ip: string): string {
	const [address = ''] = source_ip.split('%');
	const groups = ipv6Groups(address);
	if (groups === null) return source_ip;
	const mapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
	return mapped ? ipv4(groups.slice(6)) : `${groups.slice(0, 4).join(':')}::/64`;
}

function ipv4(groups: readonly string[]): string {
	return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.');
}
