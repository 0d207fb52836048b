import type { Macs } from '../../ports/vault.ts';
import { type KmsEnv, kmsClient } from './kms.ts';

/** Keys derived by KMS from its own HMAC key, one for each purpose, once in a process. A failure is not kept. */
export function kmsMacs(env: KmsEnv & { readonly MAC_KEY_ID: string }): Macs {
	const kms = kmsClient(env);
	const kept = new Map<string, Promise<Uint8Array>>();
	async function derive(purpose: string): Promise<Uint8Array> {
		const { Mac } = await kms('GenerateMac', {
			KeyId: env.MAC_KEY_ID,
			Message: Buffer.from(purpose).toString('base64'),
			MacAlgorithm: 'HMAC_SHA_256',
		});
		return Buffer.from(Mac, 'base64');
	}
	return {
		key(purpose) {
			const known = kept.get(purpose);
			if (known) return known;
			const key = derive(purpose);
			kept.set(purpose, key);
			key.catch(() => kept.delete(purpose));
			return key;
		},
	};
}
