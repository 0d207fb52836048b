import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretVaultEnv } from '../../../env.ts';
import type { SecretOwner, SecretVault } from '../../../ports/vault.ts';
import { answerCache } from '../../system/answer-cache.ts';
import { decrypt, generateDataKey, kmsClient, requireBytes } from './kms.ts';

const FORMAT = 's2';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
type Context = Readonly<Record<string, string>>;
/** KMS wraps the data key for this use and this endpoint only, and writes both into its audit log. */
function contextOf({ workspace_id, id }: SecretOwner): Context {
	return { use: 'webhook-secret', workspace: workspace_id, endpoint: id };
}
/** The associated data that binds the text. */
function additionalData({ workspace_id, id }: SecretOwner): Buffer {
	return Buffer.from([FORMAT, workspace_id, id].join('.'));
}
/** The size of the cache: a deliver function serves many endpoints, and a key is 32 bytes. */
const MOST_KEYS = 2000;

/**
 * Seals every secret with AES-256-GCM under its own data key, which KMS wraps: `s2.<wrapped key>.<iv>.<text and tag>`,
 * base64url. Key and text are both bound to the endpoint, so that a secret copied to another record does not decrypt.
 * Unwrapped data keys are cached in memory, so a warm function calls KMS once for each secret.
 */
export function kmsSecretVault(env: SecretVaultEnv): SecretVault {
	const kms = kmsClient(env);
	const cache = answerCache<Buffer>({ most: MOST_KEYS });
	/** Concurrent requests for one key share the result. */
	const dataKey = (wrapped_key: string, EncryptionContext: Context): Promise<Buffer> =>
		cache(`${wrapped_key} ${JSON.stringify(EncryptionContext)}`, async () => {
			const CiphertextBlob = Buffer.from(wrapped_key, 'base64url');
			const { Plaintext } = await kms(decrypt, { KeyId: env.SECRET_KEY_ID, CiphertextBlob, EncryptionContext });
			return requireBytes(Plaintext);
		});
	return {
		async sealSecret(secret, owner) {
			const data_key = await kms(generateDataKey, {
				KeyId: env.SECRET_KEY_ID,
				KeySpec: 'AES_256',
				EncryptionContext: contextOf(owner),
			});
			const iv = randomBytes(IV_BYTES);
			const cipher = createCipheriv(CIPHER, requireBytes(data_key.Plaintext), iv).setAAD(additionalData(owner));
			const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
			return [
				FORMAT,
				...[requireBytes(data_key.CiphertextBlob), iv, text].map((part) => part.toString('base64url')),
			].join('.');
		},
		async openSecret(sealed_secret, owner) {
			const [format, wrapped_key = '', iv = '', text = ''] = sealed_secret.split('.');
			if (format !== FORMAT) throw new Error('vault: not a sealed secret');
			const bytes = Buffer.from(text, 'base64url');
			const key = await dataKey(wrapped_key, contextOf(owner));
			const decipher = createDecipheriv(CIPHER, key, Buffer.from(iv, 'base64url'))
				.setAAD(additionalData(owner))
				.setAuthTag(bytes.subarray(-TAG_BYTES));
			return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
		},
	};
}
