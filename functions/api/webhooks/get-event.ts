import { getEvent as route } from '../../../shared/contract/webhooks/events.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { forClients, handle } from '../../../shared/http/edge/handle.ts';
import { NOT_FOUND } from '../../../shared/http/edge/refusals.ts';
import { envelopeOf } from '../../../shared/http/webhooks/present-event.ts';
import { findEvent } from '../../../shared/use-cases/webhooks/list-events.ts';

export const handler = handle(forClients, route, {
	deps: () => edgeDeps(route.operation),
	run: async ({ params: { id }, caller: { workspace_id } }, deps) => {
		const event = await findEvent(workspace_id, id, deps);
		return event === null ? { problem: NOT_FOUND } : { body: { data: envelopeOf(event) } };
	},
});
