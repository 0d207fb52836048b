import { recoverWebhookEndpoint as route } from '../../../shared/contract/webhooks/webhook-endpoints.ts';
import { edgeDeps, queues } from '../../../shared/deps.ts';
import { parseInstant } from '../../../shared/domain/kernel/time-range.ts';
import { forClients, handle } from '../../../shared/http/edge/handle.ts';
import { cursorsFor } from '../../../shared/http/edge/read.ts';
import { atField, ENDPOINT_DISABLED, NOT_FOUND, noInstant } from '../../../shared/http/edge/refusals.ts';
import { readPlace, recoverDeliveries, writePlace } from '../../../shared/use-cases/webhooks/recover-deliveries.ts';

export const handler = handle(forClients, route, {
	deps: () => ({ ...edgeDeps(route.operation), queues: queues() }),
	run: async ({ params, body, caller }, deps) => {
		const { cursor, ...filters } = body;
		const since_ms = parseInstant(body.since);
		const until_ms = body.until === undefined ? null : parseInstant(body.until);
		if (since_ms === null) return { problem: noInstant('/since', body.since) };
		if (body.until !== undefined && until_ms === null) return { problem: noInstant('/until', body.until) };
		if (until_ms !== null && until_ms <= since_ms) {
			return { problem: atField('invalid_parameter', '/until', '`until` must be after `since`.') };
		}
		const { mode, dry_run } = body;
		const { workspace_id } = caller;
		const cursors = cursorsFor(route, workspace_id, { endpoint_id: params.id, ...filters });
		const from = cursor === undefined ? undefined : cursors.read(cursor, (text) => readPlace(text, deps.clock.now()));
		const input = { workspace_id, endpoint_id: params.id, since_ms, until_ms, mode, dry_run, from };
		const result = await recoverDeliveries(input, deps);
		if (result === null) return { problem: NOT_FOUND };
		if ('refused' in result) return { problem: ENDPOINT_DISABLED };
		const { next, ...counts } = result;
		return { body: { data: { dry_run, ...counts, next_cursor: next && cursors.write(writePlace(next)) } } };
	},
});
