import type { Attempt } from '../../../domain/webhooks/delivery.ts';
import { signOf } from '../../../domain/webhooks/endpoint-health.ts';
import { decideEndpoint, type EndpointDecision } from '../../../domain/webhooks/endpoint-machine.ts';
import type { WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import type { Ports } from '../../../ports/ports.ts';
import type { Write } from '../../../ports/store.ts';
import { change } from '../../kernel/change.ts';

type Deps = Pick<Ports, 'store' | 'clock' | 'log'> & { readonly whenDisabled: WhenDisabled };
/** The writes to commit with an endpoint that an attempt disables. */
export type WhenDisabled = (endpoint: WebhookEndpoint, now_ms: number) => readonly Write[];

/**
 * Records the effect of an attempt on its endpoint's health. A success of a healthy endpoint writes nothing, so the
 * endpoint is not a hot item; concurrent failures are written one after another.
 */
export async function noteHealth(endpoint: WebhookEndpoint, attempt: Attempt, deps: Deps): Promise<void> {
	const { store, clock, whenDisabled } = deps;
	const { workspace_id, id } = endpoint;
	const input = { input: 'attempted', sign: signOf(attempt), started_ms: Date.parse(attempt.started_at) } as const;
	await change<WebhookEndpoint | null, null>(
		{
			from: endpoint,
			read: () => store.get('webhook_endpoint', { workspace_id, id }),
			decide: (before) => {
				const after = before === null ? null : decideEndpoint(before, input, clock.now());
				if (before === null || after === null) return { result: null };
				const guard = { if: 'version', version: before.version } as const;
				return {
					result: null,
					writes: {
						endpoint: { op: 'put', record: 'webhook_endpoint', item: after.endpoint, guard },
						also: after.disabled === null ? [] : whenDisabled(after.endpoint, clock.now()),
					},
					afterwards: async () => logHealth(after, deps),
				};
			},
		},
		store,
	);
}

function logHealth({ endpoint: { id: endpoint_id }, warn, disabled, breaker }: EndpointDecision, { log }: Deps): void {
	if (warn !== null) log.warn('endpoint failing', { endpoint_id, outcome: warn });
	if (disabled !== null) log.warn('endpoint disabled', { endpoint_id, outcome: disabled });
	if (breaker !== 'as_it_was') log.info('breaker', { endpoint_id, outcome: breaker });
}
