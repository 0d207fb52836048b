import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretVault } from '../../ports/vault.ts';
import { type Kms, type KmsEnv, kmsClient } from './kms.ts';

const FORMAT = 's1';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** KMS wraps the data key for this use only, and writes it into its audit log. */
const context = { use: 'webhook-secret' };
/** A deliver function meets many endpoints; a key is 32 bytes. */
const MOST_KEYS = 2000;

/**
 * Seals every secret with AES-256-GCM under a data key of its own, which KMS wraps: `s1.<wrapped key>.<iv>.<text and
 * tag>`, base64url. Opened data keys are kept in memory, so a warm function asks KMS once for each secret.
 */
export function kmsSecretVault(env: KmsEnv & { readonly SECRET_KEY_ID: string }): SecretVault {
	const kms = kmsClient(env);
	const dataKey = keptKeys(kms, env.SECRET_KEY_ID);
	return {
		async sealSecret(secret) {
			const made = await kms('GenerateDataKey', {
				KeyId: env.SECRET_KEY_ID,
				KeySpec: 'AES_256',
				EncryptionContext: context,
			});
			const iv = randomBytes(IV_BYTES);
			const cipher = createCipheriv(CIPHER, Buffer.from(made.Plaintext, 'base64'), iv).setAAD(Buffer.from(FORMAT));
			const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
			const wrapped = Buffer.from(made.CiphertextBlob, 'base64');
			return [FORMAT, ...[wrapped, iv, text].map((part) => part.toString('base64url'))].join('.');
		},
		async openSecret(sealed) {
			const [format, wrapped = '', iv = '', text = ''] = sealed.split('.');
			if (format !== FORMAT) throw new Error('vault: not a sealed secret');
			const bytes = Buffer.from(text, 'base64url');
			const decipher = createDecipheriv(CIPHER, await dataKey(wrapped), Buffer.from(iv, 'base64url'))
				.setAAD(Buffer.from(FORMAT))
				.setAuthTag(bytes.subarray(-TAG_BYTES));
			return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
		},
	};
}

/** Unwraps data keys and keeps the newest; several who ask for one at once share the answer. */
function keptKeys(kms: Kms, key_id: string): (wrapped: string) => Promise<Buffer> {
	const kept = new Map<string, Promise<Buffer>>();
	async function unwrap(wrapped: string): Promise<Buffer> {
		const blob = Buffer.from(wrapped, 'base64url').toString('base64');
		const { Plaintext } = await kms('Decrypt', { KeyId: key_id, CiphertextBlob: blob, EncryptionContext: context });
		return Buffer.from(Plaintext, 'base64');
	}
	return (wrapped) => {
		const known = kept.get(wrapped);
		if (known) return known;
		const key = unwrap(wrapped);
		kept.set(wrapped, key);
		key.catch(() => kept.delete(wrapped));
		const [oldest] = kept.keys();
		if (kept.size > MOST_KEYS && oldest !== undefined) kept.delete(oldest);
		return key;
	};
}
