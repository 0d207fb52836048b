import { log, publicKeys } from '../../shared/deps.ts';
import { customResource } from '../../shared/messages/custom-resource.ts';

const publicKey = publicKeys();

/** Runs during a deployment. Returns the public half of the key `KeyId` as `PublicKey`. */
export const handler = customResource(log('number-public-key'), async ({ KeyId }) => {
	const id = String(KeyId);
	return { id, attributes: { PublicKey: await publicKey(id) } };
});
