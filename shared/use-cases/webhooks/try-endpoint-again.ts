import { decideEndpoint } from '../../domain/webhooks/endpoint-machine.ts';
import type { Ports } from '../../ports/ports.ts';
import { change } from '../kernel/change.ts';

/**
 * Requests new attempts on a person's behalf: closes the endpoint's breaker, so that each delivery is attempted as soon as
 * it is due. Writes nothing if the breaker is closed.
 */
export async function tryEndpointAgain(
	key: { readonly workspace_id: string; readonly id: string },
	deps: Pick<Ports, 'store' | 'clock'>,
): Promise<void> {
	await change(
		{
			read: () => deps.store.get('webhook_endpoint', key),
			decide: (before) => {
				const after = before === null ? null : decideEndpoint(before, { input: 'try_again' }, deps.clock.now());
				if (before === null || after === null) return { result: null };
				const guard = { if: 'version', version: before.version } as const;
				return {
					result: null,
					writes: { endpoint: { op: 'put', record: 'webhook_endpoint', item: after.endpoint, guard } },
				};
			},
		},
		deps.store,
	);
}
