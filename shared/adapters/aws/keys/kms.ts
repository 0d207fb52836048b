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
import type { KmsEnv, MacsEnv } from '../../../env.ts';
import { type Macs, VaultBusy } from '../../../ports/vault.ts';
import { answerCache } from '../../system/answer-cache.ts';
import { awsClient } from '../client/client.ts';
import { AwsFailure } from '../client/failure.ts';
import { type Operation, operation } from '../client/operation.ts';
import { ask, VISITOR_BUDGET } from '../client/retry.ts';

export const decrypt = operation<DecryptCommand>(Decrypt$);
export const generateDataKey = operation<GenerateDataKeyCommand>(GenerateDataKey$);
const generateMac = operation<GenerateMacCommand>(GenerateMac$);
const getPublicKey = operation<GetPublicKeyCommand>(GetPublicKey$);

/** Transient errors according to "Error handling" in the KMS reference. */
const transient: ReadonlySet<string> = new Set([
	'ThrottlingException',
	'DependencyTimeoutException',
	'KMSInternalException',
	'KeyUnavailableException',
]);

/** As the SDK's KMSClient is configured (its `runtimeConfig.shared`, which it does not export), without the errors' fields. */
export const kmsProtocol = () =>
	new AwsJson1_1Protocol({
		defaultNamespace: 'com.amazonaws.kms',
		serviceTarget: 'TrentService',
	});

/**
 * AWS KMS. Every operation here is safe to repeat. Throws `VaultBusy` when the budget is spent, `AwsFailure` if KMS refuses.
 */
export function kmsClient(env: KmsEnv) {
	const aws = awsClient({ name: 'kms', endpoint: env.AWS_ENDPOINT_URL_KMS, protocol: kmsProtocol() }, env);
	return async <In extends object, Out extends MetadataBearer>(
		operation: Operation<In, Out>,
		input: In,
	): Promise<Out> => {
		const answer = await ask(aws, operation, input, VISITOR_BUDGET, ({ code }) => transient.has(code));
		if (answer.answer === 'ok') return answer.output;
		const failure = new AwsFailure('kms', operation.name, answer.code);
		throw answer.answer === 'unclear' ? new VaultBusy(failure.message, { cause: failure }) : failure;
	};
}

/** Bytes that every KMS response contains; throws if they are missing. */
export function requireBytes(bytes: Uint8Array | undefined): Buffer {
	if (bytes === undefined) throw new Error('kms: an answer without what was asked for');
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The public half of an asymmetric key: base64 of its DER SubjectPublicKeyInfo. Throws if KMS does not return it. */
export function kmsPublicKeys(env: KmsEnv): (key_id: string) => Promise<string> {
	const kms = kmsClient(env);
	return async (KeyId) => requireBytes((await kms(getPublicKey, { KeyId })).PublicKey).toString('base64');
}

/** Derives keys from KMS's HMAC key, one for each purpose, once in a process. Does not cache a failure. */
export function kmsMacs(env: MacsEnv): Macs {
	const kms = kmsClient(env);
	const cache = answerCache<Uint8Array>();
	const keyOf = (key_id: string, purpose: string): Promise<Uint8Array> =>
		cache(`${key_id} ${purpose}`, async () => {
			const input = { KeyId: key_id, Message: Buffer.from(purpose), MacAlgorithm: 'HMAC_SHA_256' } as const;
			return requireBytes((await kms(generateMac, input)).Mac);
		});
	const former = env.FORMER_MAC_KEY_IDS?.split(',') ?? [];
	return {
		key: (purpose) => keyOf(env.MAC_KEY_ID, purpose),
		former: (purpose) => Promise.all(former.map((key_id) => keyOf(key_id, purpose))),
	};
}
