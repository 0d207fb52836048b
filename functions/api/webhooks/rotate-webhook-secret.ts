import { rotateWebhookSecret as route } from '../../../shared/contract/webhooks/webhook-endpoints.ts';
import { secretDeps } from '../../../shared/deps.ts';
import { forClients, handleChange } from '../../../shared/http/edge/handle.ts';
import { NOT_FOUND } from '../../../shared/http/edge/refusals.ts';
import { responseWithSecret } from '../../../shared/http/webhooks/signing-secret.ts';
import {
	type RotateWebhookSecretResult,
	rotateWebhookSecret,
} from '../../../shared/use-cases/webhooks/rotate-webhook-secret.ts';

export const handler = handleChange(forClients, route, {
	deps: () => secretDeps(route.operation),
	respond: (result: RotateWebhookSecretResult) =>
		result.outcome === 'not_found' ? { problem: NOT_FOUND } : responseWithSecret(result),
	run: ({ params, body, caller }, deps) =>
		rotateWebhookSecret({ workspace_id: caller.workspace_id, id: params.id }, body.overlap_seconds, deps),
});
