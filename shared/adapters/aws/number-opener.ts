import type { NumberOpener } from '../../ports/vault.ts';
import { type KmsEnv, kmsClient } from './kms.ts';
import { SEALED_NUMBER } from './number-sealer.ts';

/** Opens what `kmsNumberSealer` made, by KMS: the private half never leaves it. Throws on anything else. */
export function kmsNumberOpener(env: KmsEnv & { readonly NUMBER_KEY_ID: string }): NumberOpener {
	const kms = kmsClient(env);
	return {
		async openNumber(sealed) {
			if (!sealed.startsWith(SEALED_NUMBER)) throw new Error('vault: not a sealed number');
			const { Plaintext } = await kms('Decrypt', {
				KeyId: env.NUMBER_KEY_ID,
				CiphertextBlob: Buffer.from(sealed.slice(SEALED_NUMBER.length), 'base64url').toString('base64'),
				EncryptionAlgorithm: 'RSAES_OAEP_SHA_256',
			});
			return Buffer.from(Plaintext, 'base64').toString('utf8');
		},
	};
}
