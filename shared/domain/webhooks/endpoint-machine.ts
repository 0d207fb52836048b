import { afterFailure, afterSuccess, closed, type EndpointHealth, HEALTHY, type Sign } from './endpoint-health.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

// The endpoint's state machine: enabled or disabled, with its breaker closed or open (endpoint-health.ts). It decides every
// transition; docs/endpoint-states.md shows all of them.

/** An input to the endpoint. */
export type EndpointInput =
	/** An attempt has ended. */
	| { readonly input: 'attempted'; readonly sign: Sign; readonly started_ms: number }
	/** A person requests new attempts. */
	| { readonly input: 'try_again' }
	/** Its owner changes the given fields. `resumes`: held deliveries are to be sent. */
	| { readonly input: 'edit'; readonly edit: EndpointEdit; readonly resumes: boolean };
type SealedHeaders = Pick<WebhookEndpoint, 'header_names' | 'sealed_headers'>;
export type EndpointEdit = {
	readonly [F in 'url' | 'description' | 'events' | 'status']?: WebhookEndpoint[F] | undefined;
} & { readonly sealed?: SealedHeaders | undefined };

/** The result of an input. */
export type EndpointDecision = {
	readonly endpoint: WebhookEndpoint;
	readonly breaker: 'as_it_was' | 'opened' | 'closed';
	/** The owner should be notified. */
	readonly warn: '24h' | '72h' | null;
	readonly disabled: 'gone' | 'failing' | null;
};

/**
 * Decides the endpoint after an input, as a whole record to write under the version that was read; null: nothing to write.
 */
export function decideEndpoint(
	endpoint: WebhookEndpoint,
	input: EndpointInput,
	now_ms: number,
): EndpointDecision | null {
	switch (input.input) {
		case 'attempted':
			return afterAttempt(endpoint, input, now_ms);
		case 'try_again': {
			const health = closed(endpoint.health);
			return health === null ? null : { ...QUIET, endpoint: { ...next(endpoint), health }, breaker: 'closed' };
		}
		case 'edit':
			return edited(endpoint, input, now_ms);
	}
}

const QUIET = { breaker: 'as_it_was', warn: null, disabled: null } as const;
const iso = (ms: number): string => new Date(ms).toISOString();
const next = (endpoint: WebhookEndpoint): WebhookEndpoint => ({ ...endpoint, version: endpoint.version + 1 });

type Attempted = Extract<EndpointInput, { readonly input: 'attempted' }>;

function afterAttempt(
	endpoint: WebhookEndpoint,
	{ sign, started_ms }: Attempted,
	now_ms: number,
): EndpointDecision | null {
	switch (sign) {
		case 'succeeded': {
			const health = afterSuccess(endpoint.health, now_ms);
			if (health === null) return null;
			return { ...QUIET, endpoint: { ...next(endpoint), health }, breaker: movedTo(health, endpoint) };
		}
		case 'gone':
			return { ...QUIET, endpoint: off(next(endpoint), 'gone', now_ms), disabled: 'gone' };
		case 'refused':
		case 'unreachable': {
			const after = afterFailure(endpoint.health, { sign, started_ms, now_ms });
			if (after === null) return null;
			const { health, warn, disable } = after;
			const failing = { ...next(endpoint), health };
			if (!disable) return { endpoint: failing, breaker: movedTo(health, endpoint), warn, disabled: null };
			return { ...QUIET, endpoint: off(failing, 'failing', now_ms), warn, disabled: 'failing' };
		}
	}
}

function movedTo(after: EndpointHealth, { health }: WebhookEndpoint): EndpointDecision['breaker'] {
	if ((after.open_until === null) === (health.open_until === null)) return 'as_it_was';
	return after.open_until === null ? 'closed' : 'opened';
}

function off(endpoint: WebhookEndpoint, disabled_reason: 'gone' | 'failing', now_ms: number): WebhookEndpoint {
	return { ...endpoint, status: 'disabled', disabled_reason, updated_at: iso(now_ms) };
}

type Edit = Extract<EndpointInput, { readonly input: 'edit' }>;

/** Enabling resets the health; disabling by hand records the reason. Resuming an enabled endpoint requests new attempts. */
function edited(endpoint: WebhookEndpoint, { edit, resumes }: Edit, now_ms: number): EndpointDecision | null {
	const status = edit.status ?? endpoint.status;
	const enabling = status === 'enabled' && endpoint.status === 'disabled';
	const health = enabling ? HEALTHY : endpoint.health;
	const after: WebhookEndpoint = {
		...next(endpoint),
		url: edit.url ?? endpoint.url,
		description: edit.description === undefined ? endpoint.description : edit.description,
		events: edit.events ?? endpoint.events,
		...edit.sealed,
		status,
		disabled_reason: status === 'enabled' ? null : (endpoint.disabled_reason ?? 'manual'),
		health: (resumes ? closed(health) : null) ?? health,
	};
	if (!showsTheSame(endpoint, after)) return { ...QUIET, endpoint: { ...after, updated_at: iso(now_ms) } };
	return resumes ? { ...QUIET, endpoint: after } : null;
}

/** Whether a customer would see no difference, except `updated_at`. */
function showsTheSame(a: WebhookEndpoint, b: WebhookEndpoint): boolean {
	const shown = ({ url, description, events, status, sealed_headers }: WebhookEndpoint) =>
		JSON.stringify([url, description, events, status, sealed_headers]);
	return shown(a) === shown(b);
}

/** Creates an endpoint: enabled and healthy. */
export function newEndpoint(
	given: Pick<WebhookEndpoint, 'id' | 'workspace_id' | 'url' | 'description' | 'events'> & SealedHeaders,
	sealed: string,
	now_ms: number,
): WebhookEndpoint {
	return {
		...given,
		version: 1,
		status: 'enabled',
		disabled_reason: null,
		secrets: [{ sealed, expires_at: null }],
		health: HEALTHY,
		created_at: iso(now_ms),
		updated_at: iso(now_ms),
	};
}
