import type { EventKind } from './event.ts';

/** A secret sealed for storage (see the vault port). Opaque text. */
export type Sealed = string;

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
	readonly health: EndpointHealth;
	readonly created_at: string;
	readonly updated_at: string;
};

/** Written only on the edges between success and failure, and by the breaker; null or zero while all is well. */
export type EndpointHealth = {
	readonly failing_since: string | null;
	readonly consecutive_failures: number;
	/** The breaker holds deliveries until then, then lets one probe through. */
	readonly held_until: string | null;
	/** Distinct hours (UTC, `YYYY-MM-DDTHH`) with failures since `failing_since`. */
	readonly failing_hours: readonly string[];
	readonly warned: readonly ('24h' | '72h')[];
};
export const HEALTHY: EndpointHealth = {
	failing_since: null,
	consecutive_failures: 0,
	held_until: null,
	failing_hours: [],
	warned: [],
};
export const MAX_ENDPOINTS_PER_WORKSPACE = 20;

/** The secrets that sign at this moment, newest first: during a rotation's overlap several. */
export function liveSecrets(endpoint: WebhookEndpoint, now_ms: number): readonly Sealed[] {
	return endpoint.secrets
		.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > now_ms)
		.map(({ sealed }) => sealed);
}
