import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import type { NumberSealer } from '../../ports/vault.ts';

/** Goes before what a sealer made, so that another way of sealing can follow one day. */
export const SEALED_NUMBER = 'n1.';

/** Seals with the public half of the KMS key (RSAES-OAEP with SHA-256): no call to KMS, and no way back from here. */
export function kmsNumberSealer(env: { readonly NUMBER_PUBLIC_KEY: string }): NumberSealer {
	const key = createPublicKey({ key: Buffer.from(env.NUMBER_PUBLIC_KEY, 'base64'), format: 'der', type: 'spki' });
	const options = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
	return {
		sealNumber: (number) => SEALED_NUMBER + publicEncrypt(options, Buffer.from(number)).toString('base64url'),
	};
}
