import type { Sealed } from '../kernel/sealed.ts';
import type { EventKind } from './event.ts';

/** A signing secret. Older ones also sign until `expires_at`; the newest has null. */
export type EndpointSecret = { readonly sealed: Sealed; readonly expires_at: string | null };

/** `gone`: it answered 410; `failing`: nothing succeeded for days; `manual`: by the customer. */
export const disabledReasons = ['gone', 'failing', 'manual'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export const endpointStatuses = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

/** The health of an endpoint, written only if an attempt changes it. */
export type EndpointHealth = {
	/** When the first failed attempt since the last success began; null: the endpoint is healthy. */
	readonly failing_since: string | null;
	/** Failed attempts since the last success; counted up to 20. */
	readonly consecutive_failures: number;
	/** The latest failures in a row that mean unreachable or overloaded; counted up to 5. */
	readonly consecutive_unreachable: number;
	/** Null: the circuit breaker is closed. Otherwise it is open, and half-open from this time on. */
	readonly open_until: string | null;
	/** Distinct hours (UTC, `YYYY-MM-DDTHH`) with failures since `failing_since`. */
	readonly failing_hours: readonly string[];
	readonly warned: readonly ('24h' | '72h')[];
};

/** A customer's HTTPS URL and the event types it subscribes to. At most 20 per workspace. */
export type WebhookEndpoint = {
	readonly id: string;
	readonly version: number;
	readonly workspace_id: string;
	readonly url: string;
	readonly description: string | null;
	readonly events: readonly EventKind[];
	readonly status: EndpointStatus;
	readonly disabled_reason: DisabledReason | null;
	/** Newest first. */
	readonly secrets: readonly EndpointSecret[];
	/** Lower case. */
	readonly header_names: readonly string[];
	/** The customer's headers as sealed JSON; null: none. */
	readonly sealed_headers: Sealed | null;
	readonly health: EndpointHealth;
	readonly created_at: string;
	readonly updated_at: string;
	/** The mail address of the person of the desk who made it; absent: an API key did, or the endpoint is older than this field. */
	readonly made_by?: string;
	/** The id of the API key that it was made with. */
	readonly made_with?: string;
};

/** Who makes an endpoint: a person of the desk, or a server with an API key. */
export type EndpointMaker = Pick<WebhookEndpoint, 'made_by' | 'made_with'>;

export const MAX_ENDPOINTS_PER_WORKSPACE = 20;
/** The maximum number of live secrets of an endpoint, including the newest: each adds a signature to every delivery. */
export const MAX_LIVE_SECRETS = 5;

/**
 * Adds a new secret to the endpoint. Older live ones continue to sign until `now_ms + overlap_seconds`, up to
 * `MAX_LIVE_SECRETS` in all: one more retires the oldest at once.
 */
export function withNewSecret(
	endpoint: WebhookEndpoint,
	sealed: Sealed,
	{ overlap_seconds, now_ms }: { readonly overlap_seconds: number; readonly now_ms: number },
): WebhookEndpoint {
	const until = new Date(now_ms + overlap_seconds * 1000).toISOString();
	const older = endpoint.secrets
		.map((secret) => ({ ...secret, expires_at: earlier(secret.expires_at, until) }))
		.filter((secret) => Date.parse(secret.expires_at) > now_ms)
		.slice(0, MAX_LIVE_SECRETS - 1);
	return {
		...endpoint,
		version: endpoint.version + 1,
		secrets: [{ sealed, expires_at: null }, ...older],
		updated_at: new Date(now_ms).toISOString(),
	};
}

function earlier(at: string | null, other: string): string {
	return at === null || other < at ? other : at;
}
