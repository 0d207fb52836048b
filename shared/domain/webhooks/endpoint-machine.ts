import type { Attempt, AttemptError, Delivery } from './delivery.ts';
import type { EndpointHealth, WebhookEndpoint } from './webhook-endpoint.ts';

// The endpoint's state machine: enabled or disabled, with its breaker closed or open. It decides every transition;
// docs/endpoint-states.md shows all of them.

/** An input to the endpoint. */
export type EndpointInput =
	/** An attempt has ended. */
	| { readonly input: 'attempted'; readonly sign: Sign; readonly started_ms: number }
	/** Its owner changes the given fields. */
	| { readonly input: 'edit'; readonly edit: EndpointEdit };
type SealedHeaders = Pick<WebhookEndpoint, 'header_names' | 'sealed_headers'>;
export type EndpointEdit = {
	readonly [F in 'url' | 'description' | 'events' | 'status']?: WebhookEndpoint[F] | undefined;
} & { readonly sealed?: SealedHeaders | undefined };

/**
 * Decides the endpoint after an input: the whole record, to be written under the version that was read. Null: nothing to
 * write.
 */
export function decideEndpoint(
	endpoint: WebhookEndpoint,
	input: EndpointInput,
	now_ms: number,
): WebhookEndpoint | null {
	const after = input.input === 'edit' ? afterEdit(endpoint, input.edit) : afterAttempt(endpoint, input, now_ms);
	const publicFields = shows(after) !== shows(endpoint);
	if (!publicFields && JSON.stringify(after.health) === JSON.stringify(endpoint.health)) return null;
	const updated_at = publicFields ? iso(now_ms) : endpoint.updated_at;
	return { ...after, version: endpoint.version + 1, updated_at };
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** What a customer sees of it, except `updated_at`. */
const shows = ({ url, description, events, status, disabled_reason, sealed_headers }: WebhookEndpoint): string =>
	JSON.stringify([url, description, events, status, disabled_reason, sealed_headers]);

type AttemptInput = Extract<EndpointInput, { readonly input: 'attempted' }>;

/** A success makes the endpoint healthy and closes its breaker. A healthy one keeps its fields as the store has ordered them. */
function afterAttempt(endpoint: WebhookEndpoint, input: AttemptInput, now_ms: number): WebhookEndpoint {
	const { sign, started_ms } = input;
	if (sign === 'succeeded') return { ...endpoint, health: well(endpoint) };
	if (sign === 'gone') return { ...endpoint, status: 'disabled', disabled_reason: 'gone' };
	const failing = { ...endpoint, health: afterFailure(endpoint.health, sign, { started_ms, now_ms }) };
	return isHopeless(failing.health, now_ms) ? { ...failing, status: 'disabled', disabled_reason: 'failing' } : failing;
}

const well = ({ health }: WebhookEndpoint): EndpointHealth => (health.failing_since === null ? health : HEALTHY);

/** Enabling resets the health; disabling by hand records the reason. */
function afterEdit(endpoint: WebhookEndpoint, edit: EndpointEdit): WebhookEndpoint {
	const status = edit.status ?? endpoint.status;
	const enabling = status === 'enabled' && endpoint.status === 'disabled';
	return {
		...endpoint,
		url: edit.url ?? endpoint.url,
		description: edit.description === undefined ? endpoint.description : edit.description,
		events: edit.events ?? endpoint.events,
		...edit.sealed,
		status,
		disabled_reason: status === 'enabled' ? null : (endpoint.disabled_reason ?? 'manual'),
		health: enabling ? HEALTHY : endpoint.health,
	};
}

/** Creates an endpoint: enabled and healthy. */
export function newEndpoint(
	fields: Pick<WebhookEndpoint, 'id' | 'workspace_id' | 'url' | 'description' | 'events'> & SealedHeaders,
	sealed: string,
	now_ms: number,
): WebhookEndpoint {
	return {
		...fields,
		version: 1,
		status: 'enabled',
		disabled_reason: null,
		secrets: [{ sealed, expires_at: null }],
		health: HEALTHY,
		created_at: iso(now_ms),
		updated_at: iso(now_ms),
	};
}

// What attempts say about an endpoint: its breaker, which pauses attempts at a receiver that is down, the warnings to its
// owner, and when it is disabled. docs/decisions/0010-one-claim-per-attempt-and-a-breaker-of-two-fields.md says why.

export const HEALTHY: EndpointHealth = {
	failing_since: null,
	consecutive_failures: 0,
	consecutive_unreachable: 0,
	open_until: null,
	failing_hours: [],
	warned: [],
};

/** The breaker opens at this many failures in a row that mean unreachable or overloaded. */
export const BREAKER_FAILURES = 5;
/** While the breaker is open, one attempt passes in this time: at most 5 POSTs a minute. */
const PLACE_MS = 13_000;
const HOUR_MS = 3_600_000;
const WARN_AFTER_MS = { '24h': 24 * HOUR_MS, '72h': 72 * HOUR_MS } as const;
/** The endpoint is disabled if nothing has succeeded for this long, over enough attempts. */
const DISABLE = { after_ms: 5 * 24 * HOUR_MS, failures: 20, hours: 12 } as const;

const failingFor = ({ failing_since }: EndpointHealth, now_ms: number): number =>
	now_ms - Date.parse(failing_since ?? '');

/** The result of an attempt, as evidence of the endpoint's health. */
export type Sign = 'succeeded' | 'refused' | 'unreachable' | 'gone';

/**
 * Statuses with which a gateway answers for a receiver that is overloaded or down (RFC 6585 section 4, RFC 9110 section
 * 15.6).
 */
const OVERLOADED: readonly (number | null)[] = [429, 502, 503, 504];
/** Errors of an endpoint that answered. Every other error means that it is unreachable or overloaded. */
const REFUSALS: readonly AttemptError[] = ['http_status', 'redirect_not_followed', 'invalid_response', 'internal'];

/** Derives the evidence from an attempt. */
export function signOf({ error, response_status }: Pick<Attempt, 'error' | 'response_status'>): Sign {
	if (error === null) return 'succeeded';
	if (response_status === 410) return 'gone';
	return REFUSALS.includes(error) && !OVERLOADED.includes(response_status) ? 'refused' : 'unreachable';
}

/**
 * The health with which a due delivery may be attempted: if it is another one, writing it takes the attempt's place at an open
 * breaker. Null: it has to wait. A person's retry passes without a place.
 */
export function admit(
	health: EndpointHealth,
	delivery: Pick<Delivery, 'asked_for'>,
	now_ms: number,
): EndpointHealth | null {
	if (health.open_until === null || delivery.asked_for) return health;
	return now_ms < Date.parse(health.open_until) ? null : { ...health, open_until: iso(now_ms + PLACE_MS) };
}

/** The health after one more failure. An answer closes the breaker: something lives there. */
export function afterFailure(
	before: EndpointHealth,
	sign: 'refused' | 'unreachable',
	{ started_ms, now_ms }: { readonly started_ms: number; readonly now_ms: number },
): EndpointHealth {
	const unreachable = sign === 'refused' ? 0 : Math.min(before.consecutive_unreachable + 1, BREAKER_FAILURES);
	const health = {
		...before,
		failing_since: before.failing_since ?? iso(started_ms),
		consecutive_failures: Math.min(before.consecutive_failures + 1, DISABLE.failures),
		consecutive_unreachable: unreachable,
		open_until: unreachable < BREAKER_FAILURES ? null : (before.open_until ?? iso(now_ms + PLACE_MS)),
		failing_hours: [...new Set([...before.failing_hours, iso(now_ms).slice(0, 13)])].slice(-DISABLE.hours),
	};
	const warnings = (['24h', '72h'] as const).filter((at) => failingFor(health, now_ms) >= WARN_AFTER_MS[at]);
	return { ...health, warned: warnings };
}

/** Whether the endpoint is to be disabled: no success for 5 days, over enough attempts. */
export function isHopeless(health: EndpointHealth, now_ms: number): boolean {
	const { consecutive_failures, failing_hours } = health;
	return (
		failingFor(health, now_ms) >= DISABLE.after_ms &&
		consecutive_failures >= DISABLE.failures &&
		failing_hours.length >= DISABLE.hours
	);
}
