import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import type { NumberSealer } from '../../../ports/vault.ts';

/** The prefix of a sealed number, followed by the id of its KMS key: `n2.<key id>.<base64url>`. */
export const SEALED_NUMBER = 'n2.';

/**
 * Seals with the public half of the KMS key (RSAES-OAEP with SHA-256): no call to KMS, and this process cannot decrypt it.
 */
export function kmsNumberSealer(env: {
	readonly NUMBER_PUBLIC_KEY: string;
	readonly SEALING_KEY_ID: string;
}): NumberSealer {
	const key = createPublicKey({ key: Buffer.from(env.NUMBER_PUBLIC_KEY, 'base64'), format: 'der', type: 'spki' });
	const options = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
	return {
		sealNumber: (number) =>
			`${SEALED_NUMBER}${env.SEALING_KEY_ID}.${publicEncrypt(options, Buffer.from(number)).toString('base64url')}`,
	};
}
