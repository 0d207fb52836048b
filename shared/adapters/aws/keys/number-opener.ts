import type { NumberOpener } from '../../../ports/vault.ts';
import { decrypt, given, type KmsEnv, kmsClient } from './kms.ts';
import { SEALED_NUMBER } from './number-sealer.ts';

/** The format before sealed numbers named their key: `n1.<base64url>`. Still decrypted, never written. */
const UNNAMED = 'n1.';

/** The key that decrypts it, and the ciphertext; null for anything else. */
function partsOf(sealed: string, first_key_id: string): { readonly key_id: string; readonly text: string } | null {
	if (sealed.startsWith(UNNAMED)) return { key_id: first_key_id, text: sealed.slice(UNNAMED.length) };
	const [key_id = '', text, ...more] = sealed.slice(SEALED_NUMBER.length).split('.');
	return !sealed.startsWith(SEALED_NUMBER) || text === undefined || more.length > 0 ? null : { key_id, text };
}

/** Decrypts the output of `kmsNumberSealer` with KMS: the private key never leaves it. Throws on anything else. */
export function kmsNumberOpener(env: KmsEnv & { readonly NUMBER_KEY_ID: string }): NumberOpener {
	const kms = kmsClient(env);
	return {
		async openNumber(sealed) {
			const parts = partsOf(sealed, env.NUMBER_KEY_ID);
			if (parts === null) throw new Error('vault: not a sealed number');
			const { Plaintext } = await kms(decrypt, {
				KeyId: parts.key_id,
				CiphertextBlob: Buffer.from(parts.text, 'base64url'),
				EncryptionAlgorithm: 'RSAES_OAEP_SHA_256',
			});
			return given(Plaintext).toString('utf8');
		},
	};
}
