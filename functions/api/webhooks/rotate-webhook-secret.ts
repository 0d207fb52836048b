import { rotateWebhookSecret as route } from '../../../shared/contract/webhooks/webhook-endpoint-routes.ts';
import { edgeDeps, ids, secretVault } from '../../../shared/deps.ts';
import { handleForClient } from '../../../shared/http/handle.ts';
import { NOT_FOUND, TWIN_IN_PROGRESS } from '../../../shared/http/refusals.ts';
import { SECRET_PLACEHOLDER } from '../../../shared/http/stages/idempotency.ts';
import { rotateWebhookSecret } from '../../../shared/use-cases/webhooks/rotate-webhook-secret.ts';

export const handler = handleForClient(route, {
	deps: () => {
		const vault = secretVault();
		return { ...edgeDeps(route.operation), ids: ids(), vault, openSecret: vault.openSecret };
	},
	run: async ({ params, body, caller, remember }, deps) => {
		const key = { workspace_id: caller.workspace_id, id: params.id };
		const outcome = await rotateWebhookSecret(
			key,
			body.overlap_seconds,
			(endpoint, sealed) => remember({ data: { ...endpoint, secret: SECRET_PLACEHOLDER } }, sealed),
			deps,
		);
		if ('rotated' in outcome) return { answer: { data: { ...outcome.rotated, secret: outcome.secret } } };
		return { problem: outcome.refused === 'not_found' ? NOT_FOUND : TWIN_IN_PROGRESS };
	},
});
