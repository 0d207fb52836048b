import { getPublicKey, given, type KmsEnv, kmsClient } from './kms.ts';

/** The public half of an asymmetric key: base64 of its DER SubjectPublicKeyInfo. Throws if KMS does not return it. */
export function kmsPublicKeys(env: KmsEnv): (key_id: string) => Promise<string> {
	const kms = kmsClient(env);
	return async (KeyId) => given((await kms(getPublicKey, { KeyId })).PublicKey).toString('base64');
}
