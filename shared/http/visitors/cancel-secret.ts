import type { Macs } from '../../ports/vault.ts';
import { cancelSecrets } from '../../use-cases/workspaces/keyed-hash.ts';
import type { RestoreSecret } from '../idempotency.ts';
import type { Headers } from '../request.ts';

/**
 * The header with the secret that cancels a call, for the page that requested it. Empty if the keys are unavailable: the
 * call is placed, but the page cannot cancel it.
 */
export async function cancelSecretHeader(call_id: string, macs: Macs): Promise<Headers> {
	const secrets = await cancelSecrets(macs, call_id).catch(() => null);
	return secrets === null ? {} : { 'cancel-secret': secrets[0] };
}

/** Adds the secret to a stored response. It is the same one, because it is derived from the call's id. */
export function restoreCancelSecret(macs: Macs): RestoreSecret {
	return async (response, { resource_id }) => {
		if (resource_id === null) return response;
		return { ...response, headers: { ...response.headers, ...(await cancelSecretHeader(resource_id, macs)) } };
	};
}
