import type { Sealed } from '../kernel/sealed.ts';
import type { EventKind } from './event.ts';

/** A secret that signs; older ones sign along until `expires_at`, the newest has null. */
export type EndpointSecret = { readonly sealed: Sealed; readonly expires_at: string | null };

/** Why an endpoint is off. `gone`: it answered 410; `failing`: nothing succeeded for days; `manual`: by the customer. */
export const disabledReasons = ['gone', 'failing', 'manual'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export const endpointStatuses = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

/** What becomes of held deliveries when an endpoint is enabled again: they stay, all are sent, or those since a time. */
export const resumeChoices = ['none', 'all', 'since'] as const;
export type ResumeChoice = (typeof resumeChoices)[number];

/** A customer's HTTPS address and what it subscribes to. At most 20 per workspace. */
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
	/** Lower case. Absent in older records: none. */
	readonly header_names?: readonly string[];
	/** The customer's headers as sealed JSON; null or absent: none. */
	readonly sealed_headers?: Sealed | null;
	readonly health: EndpointHealth;
	readonly created_at: string;
	readonly updated_at: string;
};

/**
 * How an endpoint does. Written only when an attempt changes what is known; null, zero or absent while all is well. What
 * its fields lead to is decided in endpoint-machine.ts.
 */
export type EndpointHealth = {
	/** When the first failed attempt since the last success began. */
	readonly failing_since: string | null;
	/** Failed attempts since the last success; counted up to 20. */
	readonly consecutive_failures: number;
	/** Of these, the newest in a row that say the endpoint is unreachable or overloaded; counted up to 5. Absent: none. */
	readonly unreached?: number;
	/** Null: the breaker is closed. Else the next slot for a probe that no delivery has taken. */
	readonly held_until: string | null;
	/** What an open breaker knows. */
	readonly probing?: Probing;
	/** When a success ended a row of failures, or a person had the endpoint tried again. */
	readonly trusted_since?: string;
	/** Distinct hours (UTC, `YYYY-MM-DDTHH`) with failures since `failing_since`. */
	readonly failing_hours: readonly string[];
	readonly warned: readonly ('24h' | '72h')[];
};
/** Probes of an open breaker. */
export type Probing = {
	readonly opened_at: string;
	/** Deliveries that have a slot, at most one in each lane. */
	readonly booked: readonly Booking[];
	/** The delivery that was the newest probe. */
	readonly last: string | null;
	/** Deliveries that were never attempted wait from this id on. */
	readonly from_id: string;
};
/** A first attempt's lane is its event type; all later attempts share one. */
export type Lane = EventKind | 'again';
export type Booking = { readonly delivery_id: string; readonly lane: Lane; readonly at: string };
export const HEALTHY: EndpointHealth = {
	failing_since: null,
	consecutive_failures: 0,
	held_until: null,
	failing_hours: [],
	warned: [],
};
export const MAX_ENDPOINTS_PER_WORKSPACE = 20;
/** Live secrets of an endpoint, the newest included: each adds a signature to every delivery. */
export const MAX_LIVE_SECRETS = 5;

/** The secrets that sign at this moment, newest first: during a rotation's overlap several. */
export function liveSecrets(endpoint: WebhookEndpoint, now_ms: number): readonly Sealed[] {
	return endpoint.secrets
		.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > now_ms)
		.map(({ sealed }) => sealed);
}

/**
 * The endpoint with a new newest secret. Older live ones go on signing until `now_ms + overlap_seconds`, up to
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
