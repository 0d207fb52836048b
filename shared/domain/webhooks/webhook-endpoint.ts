import type { Sealed } from '../kernel/sealed.ts';
import type { EventKind } from './event.ts';

/** A signing secret. The newest secret has no end (null). An older secret also signs until `expires_at`. */
export type EndpointSecret = { readonly sealed: Sealed; readonly expires_at: string | null };

/**
 * Why an endpoint is disabled. `gone`: the receiver answered 410. `failing`: no attempt succeeded for days. `manual`: the
 * customer disabled the endpoint.
 */
export const disabledReasons = ['gone', 'failing', 'manual'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export const endpointStatuses = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

/** The health of an endpoint, as its attempts have shown it. */
export type EndpointHealth = {
	/** When the first failed attempt since the last success began. Null if the endpoint is healthy. */
	readonly failing_since: string | null;
	/** How many attempts failed since the last success. The count stops at 20. */
	readonly consecutive_failures: number;
	/** How many of the latest attempts in a row found the receiver unreachable or overloaded. The count stops at 5. */
	readonly consecutive_unreachable: number;
	/**
	 * Null if the circuit breaker is closed. Otherwise, the circuit breaker is open until this time and half-open after
	 * this time.
	 */
	readonly open_until: string | null;
	/** The hours (UTC, `YYYY-MM-DDTHH`) since `failing_since` in which attempts failed, but only the latest 12 of them. */
	readonly failing_hours: readonly string[];
	readonly warned: readonly ('24h' | '72h')[];
};

/** A customer's HTTPS URL and the event types to which it subscribes. A workspace has at most 20 endpoints. */
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
	/** The names are in lower case. */
	readonly header_names: readonly string[];
	/** The customer's headers as encrypted JSON. Null if the endpoint has no such headers. */
	readonly sealed_headers: Sealed | null;
	readonly health: EndpointHealth;
	readonly created_at: string;
	readonly updated_at: string;
	/**
	 * The mail address of the person at the desk who made the endpoint. Absent if the endpoint was made with an API key, or
	 * is older than this field.
	 */
	readonly made_by?: string;
	/** The id of the API key that the endpoint was made with. */
	readonly made_with?: string;
};

/** Whether events do not arrive at the endpoint, although no person has disabled it. */
export const isFailing = ({ status, disabled_reason, health }: WebhookEndpoint): boolean =>
	status === 'enabled' ? health.failing_since !== null : disabled_reason !== 'manual';

/** Who makes an endpoint: a person at the desk, or a server with an API key. */
export type EndpointMaker = Pick<WebhookEndpoint, 'made_by' | 'made_with'>;

export const MAX_ENDPOINTS_PER_WORKSPACE = 20;
/**
 * The most live secrets of an endpoint, including the newest. There is a limit because each live secret adds a signature to
 * every delivery.
 */
export const MAX_LIVE_SECRETS = 5;

/**
 * Adds a new secret to the endpoint. An older live secret continues to sign until `now_ms + overlap_seconds`, or until its
 * own earlier end. If the endpoint now has more than `MAX_LIVE_SECRETS` live secrets, the oldest secret stops signing at
 * once.
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
