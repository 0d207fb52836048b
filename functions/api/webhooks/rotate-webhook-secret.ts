import { rotateWebhookSecret as route } from '../../../shared/contract/webhooks/webhook-endpoints.ts';
import { edgeDeps, ids, secretVault } from '../../../shared/deps.ts';
import { forClients, handleChange } from '../../../shared/http/handle.ts';
import { NOT_FOUND } from '../../../shared/http/refusals.ts';
import { SECRET_PLACEHOLDER } from '../../../shared/http/stages/idempotency.ts';
import {
	type RotateWebhookSecretResult,
	rotateWebhookSecret,
} from '../../../shared/use-cases/webhooks/rotate-webhook-secret.ts';

export const handler = handleChange(forClients, route, {
	deps: () => {
		const vault = secretVault();
		return { ...edgeDeps(route.operation), ids: ids(), vault, openSecret: vault.openSecret };
	},
	answer: (result: RotateWebhookSecretResult) => {
		if (result.outcome === 'not_found') return { problem: NOT_FOUND };
		return {
			answer: { data: { ...result.endpoint, secret: SECRET_PLACEHOLDER } },
			secret: { clear: result.secret, sealed: result.sealed_secret },
		};
	},
	run: ({ params, body, caller }, deps) =>
		rotateWebhookSecret({ workspace_id: caller.workspace_id, id: params.id }, body.overlap_seconds, deps),
});
