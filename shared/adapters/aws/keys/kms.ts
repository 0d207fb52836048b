import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import {
	Decrypt$,
	type DecryptCommand,
	GenerateDataKey$,
	type GenerateDataKeyCommand,
	GenerateMac$,
	type GenerateMacCommand,
	GetPublicKey$,
	type GetPublicKeyCommand,
} from '@aws-sdk/client-kms';
import { AwsJson1_1Protocol } from '@aws-sdk/core/protocols';
import type { MetadataBearer } from '@smithy/types';
import type { KmsEnv, MacsEnv, SecretVaultEnv } from '../../../env.ts';
import { type Macs, type SecretOwner, type SecretVault, VaultBusy } from '../../../ports/vault.ts';
import { resultCache } from '../../result-cache.ts';
import { awsClient, type Budget, sendToAws, VISITOR_BUDGET } from '../client/client.ts';
import { AwsFailure } from '../client/failure.ts';
import { jsonWithBytes } from '../client/json.ts';
import { type AwsOperation, operation } from '../client/operation.ts';

export const decrypt = operation<DecryptCommand>(Decrypt$);
export const generateDataKey = operation<GenerateDataKeyCommand>(GenerateDataKey$);
const generateMac = operation<GenerateMacCommand>(GenerateMac$);
const getPublicKey = operation<GetPublicKeyCommand>(GetPublicKey$);

/** Temporary errors, according to "Error handling" in the reference of KMS. */
const transient: ReadonlySet<string> = new Set([
	'ThrottlingException',
	'DependencyTimeoutException',
	'KMSInternalException',
	'KeyUnavailableException',
]);

/**
 * The protocol settings of the SDK's KMSClient, which does not export them (`runtimeConfig.shared`). We leave out
 * `errorTypeRegistries`, because we do not read the fields of errors.
 */
export const kmsProtocol = () =>
	new AwsJson1_1Protocol({
		defaultNamespace: 'com.amazonaws.kms',
		serviceTarget: 'TrentService',
		jsonCodec: jsonWithBytes(),
	});

/**
 * Sends operations that are safe to repeat, within a budget (by default, the budget of a visitor's request). Throws
 * `VaultBusy` if the budget is used up or the function's time is over, and `AwsFailure` if KMS refuses.
 */
export function kmsClient(env: KmsEnv, budget = VISITOR_BUDGET) {
	const aws = awsClient({ name: 'kms', endpoint: env.AWS_ENDPOINT_URL_KMS, protocol: kmsProtocol() }, env);
	return async <In extends object, Out extends MetadataBearer>(
		operation: AwsOperation<In, Out>,
		input: In,
	): Promise<Out> => {
		const result = await sendToAws(aws, operation, input, budget, ({ code }) => transient.has(code));
		if (result.outcome === 'ok') return result.output;
		const failure = new AwsFailure('kms', operation.name, result.code);
		throw result.outcome === 'unclear' ? new VaultBusy(failure.message, { cause: failure }) : failure;
	};
}

/** Returns the bytes that KMS has to return for the operation. Throws if the bytes are missing. */
export function requireBytes(bytes: Uint8Array | undefined): Buffer {
	if (bytes === undefined) throw new Error('kms: a response without what was asked for');
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Returns a function that reads the public half of an asymmetric key, as base64 of its DER SubjectPublicKeyInfo. The
 * function throws if KMS does not return the key.
 */
export function kmsPublicKeys(env: KmsEnv, budget?: Budget): (keyId: string) => Promise<string> {
	const kms = kmsClient(env, budget);
	return async (KeyId) => requireBytes((await kms(getPublicKey, { KeyId })).PublicKey).toString('base64');
}

/**
 * Derives one key for each purpose from KMS's HMAC key, and caches these keys for the life of the process. A failure is not
 * cached.
 */
export function kmsMacs(env: MacsEnv, budget?: Budget): Macs {
	const kms = kmsClient(env, budget);
	const cache = resultCache<Uint8Array>();
	const keyOf = (keyId: string, purpose: string): Promise<Uint8Array> =>
		cache(`${keyId} ${purpose}`, async () => {
			const input = { KeyId: keyId, Message: Buffer.from(purpose), MacAlgorithm: 'HMAC_SHA_256' } as const;
			return requireBytes((await kms(generateMac, input)).Mac);
		});
	const former = env.FORMER_MAC_KEY_IDS?.split(',') ?? [];
	return {
		key: (purpose) => keyOf(env.MAC_KEY_ID, purpose),
		former: (purpose) => Promise.all(former.map((keyId) => keyOf(keyId, purpose))),
	};
}

const FORMAT = 's2';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
type Context = Readonly<Record<string, string>>;
/**
 * The context with which KMS wraps a data key. With this context, the key works only for this use and this owner, and KMS
 * writes the context into its audit log. The owner is an endpoint, or the chat of a workspace (`teamWebhookOwner`).
 */
function contextOf({ workspace_id, id }: SecretOwner): Context {
	return { use: 'webhook-secret', workspace: workspace_id, endpoint: id };
}
function additionalData({ workspace_id, id }: SecretOwner): Buffer {
	return Buffer.from([FORMAT, workspace_id, id].join('.'));
}
/**
 * How many data keys are cached. The number is high, because one function delivers to many endpoints, and a key has only 32
 * bytes.
 */
const MOST_KEYS = 2000;

/**
 * Encrypts every secret with AES-256-GCM and a data key of its own, which KMS wraps. The result is `s2.<wrapped
 * key>.<iv>.<text and tag>` in base64url. The key and the text are both bound to the owner, so that a secret which is
 * copied to another record cannot be decrypted. Unwrapped data keys are cached in memory, so that a warm function calls KMS
 * once for each secret.
 */
export function kmsSecretVault(env: SecretVaultEnv, budget?: Budget): SecretVault {
	const kms = kmsClient(env, budget);
	const cache = resultCache<Buffer>({ most: MOST_KEYS });
	/** Concurrent requests for one key share the result. */
	const dataKey = (wrappedKey: string, EncryptionContext: Context): Promise<Buffer> =>
		cache(`${wrappedKey} ${JSON.stringify(EncryptionContext)}`, async () => {
			const CiphertextBlob = Buffer.from(wrappedKey, 'base64url');
			const { Plaintext } = await kms(decrypt, { KeyId: env.SECRET_KEY_ID, CiphertextBlob, EncryptionContext });
			return requireBytes(Plaintext);
		});
	return {
		async sealSecret(secret, owner) {
			const generated = await kms(generateDataKey, {
				KeyId: env.SECRET_KEY_ID,
				KeySpec: 'AES_256',
				EncryptionContext: contextOf(owner),
			});
			const iv = randomBytes(IV_BYTES);
			const cipher = createCipheriv(CIPHER, requireBytes(generated.Plaintext), iv).setAAD(additionalData(owner));
			const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
			return [
				FORMAT,
				...[requireBytes(generated.CiphertextBlob), iv, text].map((part) => part.toString('base64url')),
			].join('.');
		},
		async openSecret(sealedSecret, owner) {
			const [format, wrapped_key = '', iv = '', text = ''] = sealedSecret.split('.');
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
