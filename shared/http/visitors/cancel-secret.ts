import * as z from 'zod/mini';
import type { Macs } from '../../ports/vault.ts';
import { cancelSecrets } from '../../use-cases/visitors/keyed-hash.ts';
import type { EdgeHandler } from '../pipeline.ts';

const Created = z.object({ data: z.object({ id: z.string() }) });

/**
 * Returns the secret that cancels a call to the page that requested it, in the header `Cancel-Secret`, also in a replay. If
 * the keys are unavailable, the response has no secret: the call is placed, but the page cannot cancel it.
 */
export function withCancelSecret(handler: EdgeHandler, macs: Macs): EdgeHandler {
	return async (event, context) => {
		const response = await handler(event, context);
		const created = response.statusCode === 202 ? Created.parse(JSON.parse(response.body ?? '')) : null;
		if (created === null) return response;
		const secrets = await cancelSecrets(macs, created.data.id).catch(() => null);
		if (secrets === null) return response;
		return { ...response, headers: { ...response.headers, 'cancel-secret': secrets[0] } };
	};
}
