import { type KmsEnv, kmsClient } from './kms.ts';

/** The public half of an asymmetric key: base64 of its DER SubjectPublicKeyInfo. Throws when KMS does not give it. */
export function kmsPublicKeys(env: KmsEnv): (key_id: string) => Promise<string> {
	const kms = kmsClient(env);
	return async (key_id) => (await kms('GetPublicKey', { KeyId: key_id })).PublicKey;
}
