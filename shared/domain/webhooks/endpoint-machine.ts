import { HEALTHY, type HealthSignal, healthAfterFailure, isHopeless } from './circuit-breaker.ts';
import type { EndpointHealth, EndpointMaker, WebhookEndpoint } from './webhook-endpoint.ts';

// The states of an endpoint: enabled or disabled, with its circuit breaker closed or open. This file decides every change
// from one state to another. docs/endpoint-states.md shows all of these changes.

export type EndpointInput =
	| { readonly input: 'attempted'; readonly signal: HealthSignal; readonly started_ms: number }
	| { readonly input: 'edit'; readonly edit: EndpointEdit };
type SealedHeaders = Pick<WebhookEndpoint, 'header_names' | 'sealed_headers'>;
export type EndpointEdit = {
	readonly [F in 'url' | 'description' | 'events' | 'status']?: WebhookEndpoint[F] | undefined;
} & { readonly sealed?: SealedHeaders | undefined };

/**
 * The whole record after an input. Write it only if the stored version is still the version that was read. Null if there is
 * nothing to write.
 */
export function decideEndpoint(endpoint: WebhookEndpoint, input: EndpointInput, nowMs: number): WebhookEndpoint | null {
	const after = input.input === 'edit' ? afterEdit(endpoint, input.edit) : afterAttempt(endpoint, input, nowMs);
	const publicFields = shows(after) !== shows(endpoint);
	if (!publicFields && JSON.stringify(after.health) === JSON.stringify(endpoint.health)) return null;
	const updated_at = publicFields ? iso(nowMs) : endpoint.updated_at;
	return { ...after, version: endpoint.version + 1, updated_at };
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** What a customer sees of the endpoint, without `updated_at`. */
const shows = ({ url, description, events, status, disabled_reason, sealed_headers }: WebhookEndpoint): string =>
	JSON.stringify([url, description, events, status, disabled_reason, sealed_headers]);

type AttemptInput = Extract<EndpointInput, { readonly input: 'attempted' }>;

/**
 * The endpoint after an attempt. A success makes the endpoint healthy and closes its circuit breaker. If the endpoint is
 * already healthy, the stored health is returned unchanged, because even another order of its JSON fields would count as a
 * change.
 */
function afterAttempt(endpoint: WebhookEndpoint, input: AttemptInput, now_ms: number): WebhookEndpoint {
	const { signal, started_ms } = input;
	if (signal === 'succeeded') return { ...endpoint, health: well(endpoint) };
	if (signal === 'gone') return { ...endpoint, status: 'disabled', disabled_reason: 'gone' };
	const failing = { ...endpoint, health: healthAfterFailure(endpoint.health, signal, { started_ms, now_ms }) };
	return isHopeless(failing.health, now_ms) ? { ...failing, status: 'disabled', disabled_reason: 'failing' } : failing;
}

const well = ({ health }: WebhookEndpoint): EndpointHealth => (health.failing_since === null ? health : HEALTHY);

/**
 * The endpoint after an edit. Enabling a disabled endpoint resets its health. Disabling an enabled endpoint records that a
 * person did so.
 */
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

export function newEndpoint(
	fields: Pick<WebhookEndpoint, 'id' | 'workspace_id' | 'url' | 'description' | 'events'> &
		SealedHeaders &
		EndpointMaker,
	sealed: string,
	nowMs: number,
): WebhookEndpoint {
	return {
		...fields,
		version: 1,
		status: 'enabled',
		disabled_reason: null,
		secrets: [{ sealed, expires_at: null }],
		health: HEALTHY,
		created_at: iso(nowMs),
		updated_at: iso(nowMs),
	};
}
