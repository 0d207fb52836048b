import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import type { NumberOpenerEnv, NumberSealerEnv } from '../../../env.ts';
import type { NumberOpener, NumberSealer } from '../../../ports/vault.ts';
import { decrypt, kmsClient, requireBytes } from './kms.ts';

/** The beginning of an encrypted number. The id of its KMS key follows: `n2.<key id>.<base64url>`. */
const SEALED_NUMBER = 'n2.';

/** Encrypts with the public half of the KMS key (RSAES-OAEP with SHA-256). So this process cannot decrypt the numbers. */
export function kmsNumberSealer(env: NumberSealerEnv): NumberSealer {
	const key = createPublicKey({ key: Buffer.from(env.NUMBER_PUBLIC_KEY, 'base64'), format: 'der', type: 'spki' });
	const options = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
	return {
		sealNumber: (number) =>
			`${SEALED_NUMBER}${env.SEALING_KEY_ID}.${publicEncrypt(options, Buffer.from(number)).toString('base64url')}`,
	};
}

/** Decrypts with KMS what `kmsNumberSealer` has encrypted. The private key never leaves KMS. Throws for any other text. */
export function kmsNumberOpener(env: NumberOpenerEnv): NumberOpener {
	const kms = kmsClient(env);
	return {
		async openNumber(sealedNumber) {
			const parts = partsOf(sealedNumber);
			if (parts === null) throw new Error('vault: not a sealed number');
			const { Plaintext } = await kms(decrypt, {
				KeyId: parts.key_id,
				CiphertextBlob: Buffer.from(parts.text, 'base64url'),
				EncryptionAlgorithm: 'RSAES_OAEP_SHA_256',
			});
			return requireBytes(Plaintext).toString('utf8');
		},
	};
}

/** The id of the key that decrypts a number, and the encrypted text. Null if the text is no encrypted number. */
function partsOf(sealedNumber: string): { readonly key_id: string; readonly text: string } | null {
	const [key_id = '', text, ...more] = sealedNumber.slice(SEALED_NUMBER.length).split('.');
	return !sealedNumber.startsWith(SEALED_NUMBER) || text === undefined || more.length > 0 ? null : { key_id, text };
}
