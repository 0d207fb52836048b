import { lowestIdAt } from '../../domain/kernel/id.ts';
import type { CustomHeaders } from '../../domain/webhooks/custom-headers.ts';
import { decideEndpoint, type EndpointEdit } from '../../domain/webhooks/endpoint-machine.ts';
import { RETENTION_SECONDS } from '../../domain/webhooks/event.ts';
import type { ResumeChoice, WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Resumption } from '../../ports/registry.ts';
import type { Write } from '../../ports/store.ts';
import type { SecretVault } from '../../ports/vault.ts';
import type { WebhookSender } from '../../ports/webhook-sender.ts';
import { type Answering, asRead, change, putNext } from '../kernel/change.ts';
import { sealHeaders } from './custom-headers.ts';

export type EndpointChange = Omit<EndpointEdit, 'sealed'> & {
	/** They replace the current ones; null removes them. */
	readonly headers?: CustomHeaders | null | undefined;
	/** With `status: enabled`: what happens to held deliveries. `since_ms` is null unless `since` is given. */
	readonly resume?: ResumeChoice | undefined;
	readonly since_ms?: number | null | undefined;
};
export type ChangeWebhookEndpointResult =
	| { readonly outcome: 'changed'; readonly endpoint: WebhookEndpoint }
	| { readonly outcome: 'webhook_url_not_allowed'; readonly reason: string }
	| { readonly outcome: 'not_found' | 'precondition_failed' };

/** Held deliveries of events since this time are sent, in epoch milliseconds; null: none. */
function resumeTime(endpoint: WebhookEndpoint, change: EndpointChange, now_ms: number): number | null {
	if (change.status !== 'enabled') return null;
	switch (change.resume ?? 'none') {
		case 'none':
			// A concurrent change may still hold a delivery: include the time until it has committed.
			return endpoint.status === 'disabled' ? now_ms : null;
		case 'all':
			return now_ms - RETENTION_SECONDS * 1000;
		case 'since':
			return change.since_ms ?? now_ms;
	}
}

/** The record that tells the sweep what to send, written when the endpoint is enabled; disabling removes it. */
function resuming(
	endpoint: WebhookEndpoint,
	change: EndpointChange,
	before: Resumption | null,
	now_ms: number,
): readonly Write[] {
	const guard = asRead(before);
	const { id, workspace_id } = endpoint;
	if (change.status === 'disabled' && before !== null) {
		return [{ op: 'remove', record: 'resumption', key: { id }, guard }];
	}
	const from_ms = resumeTime(endpoint, change, now_ms);
	if (from_ms === null) return [];
	const enabled_at = new Date(now_ms).toISOString();
	const version = (before?.version ?? 0) + 1;
	const item = { id, version, workspace_id, from_id: lowestIdAt(from_ms), enabled_at, due_at: enabled_at };
	return [{ op: 'put', record: 'resumption', item, guard }];
}

type Deps = Answering<ChangeWebhookEndpointResult> &
	Pick<Ports, 'store' | 'clock'> & {
		readonly sender: Pick<WebhookSender, 'check'>;
		readonly vault: Pick<SecretVault, 'sealSecret'>;
	};

/**
 * Changes any of url, description, events, headers and status. A new url is checked like a first one. Held deliveries of an
 * endpoint enabled again are sent as `resume` says; the others stay held. Writes nothing if nothing changes.
 */
export async function changeWebhookEndpoint(
	key: { readonly workspace_id: string; readonly id: string },
	requestedChange: EndpointChange,
	deps: Deps,
): Promise<ChangeWebhookEndpointResult> {
	const { store, clock, hasSeen } = deps;
	const target = requestedChange.url === undefined ? null : await deps.sender.check(requestedChange.url);
	if (target !== null && !target.allowed) return { outcome: 'webhook_url_not_allowed', reason: target.reason };
	const sealed_headers =
		requestedChange.headers === undefined ? undefined : await sealHeaders(requestedChange.headers, key, deps.vault);
	const edit = { ...requestedChange, url: target?.url, sealed: sealed_headers };
	return change(
		{
			read: async () => ({
				// Before the endpoint, or a request that finds it disabled could remove the resumption of one that enables it meanwhile.
				resumption: edit.status === undefined ? null : await store.get('resumption', { id: key.id }),
				before: await store.get('webhook_endpoint', key),
			}),
			decide: ({ before, resumption: resumptionWrite }) => {
				if (before === null) return { result: { outcome: 'not_found' } };
				if (hasSeen?.({ outcome: 'changed', endpoint: before }) === false) {
					return { result: { outcome: 'precondition_failed' } };
				}
				const now_ms = clock.now();
				const decision = decideEndpoint(before, { input: 'edit', edit }, now_ms);
				return {
					result: { outcome: 'changed', endpoint: decision ?? before },
					writes: {
						endpoint: decision === null ? [] : putNext('webhook_endpoint', decision),
						resumption: resuming(before, requestedChange, resumptionWrite, now_ms),
					},
				};
			},
		},
		deps.store,
		deps.keepAnswer,
	);
}
