import {
	Decrypt$,
	type DecryptCommand,
	errorTypeRegistries,
	GenerateDataKey$,
	type GenerateDataKeyCommand,
	GenerateMac$,
	type GenerateMacCommand,
	GetPublicKey$,
	type GetPublicKeyCommand,
} from '@aws-sdk/client-kms';
import { AwsJson1_1Protocol } from '@aws-sdk/core/protocols';
import type { MetadataBearer } from '@smithy/types';
import type { KmsEnv } from '../../../env.ts';
import { VaultBusy } from '../../../ports/vault.ts';
import { awsClient, type Operation, operation } from '../client/client.ts';
import { AwsFailure } from '../client/failure.ts';
import { ask, VISITOR_BUDGET } from '../client/retry.ts';

export const decrypt = operation<DecryptCommand>(Decrypt$);
export const generateDataKey = operation<GenerateDataKeyCommand>(GenerateDataKey$);
export const generateMac = operation<GenerateMacCommand>(GenerateMac$);
const getPublicKey = operation<GetPublicKeyCommand>(GetPublicKey$);

/** Transient errors according to "Error handling" in the KMS reference. */
const transient: ReadonlySet<string> = new Set([
	'ThrottlingException',
	'DependencyTimeoutException',
	'KMSInternalException',
	'KeyUnavailableException',
]);

/** As the SDK's KMSClient is configured (its `runtimeConfig.shared`, which it does not export). */
export const kmsProtocol = () =>
	new AwsJson1_1Protocol({
		defaultNamespace: 'com.amazonaws.kms',
		errorTypeRegistries,
		serviceTarget: 'TrentService',
	});

/**
 * AWS KMS. Every operation here is safe to repeat. Throws `VaultBusy` when the budget is spent, `AwsFailure` if KMS refuses.
 */
export function kmsClient(env: KmsEnv) {
	const aws = awsClient({ name: 'kms', endpoint: env.AWS_ENDPOINT_URL_KMS, protocol: kmsProtocol() }, env);
	return async <In extends object, Out extends MetadataBearer>(asked: Operation<In, Out>, input: In): Promise<Out> => {
		const answer = await ask(aws, asked, input, VISITOR_BUDGET, ({ code }) => transient.has(code));
		if (answer.answer === 'ok') return answer.output;
		const failure = new AwsFailure('kms', asked.name, answer.code);
		throw answer.answer === 'unclear' ? new VaultBusy(failure.message, { cause: failure }) : failure;
	};
}

/** Bytes that every KMS response contains; throws if they are missing. */
export function given(bytes: Uint8Array | undefined): Buffer {
	if (bytes === undefined) throw new Error('kms: an answer without what was asked for');
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The public half of an asymmetric key: base64 of its DER SubjectPublicKeyInfo. Throws if KMS does not return it. */
export function kmsPublicKeys(env: KmsEnv): (key_id: string) => Promise<string> {
	const kms = kmsClient(env);
	return async (KeyId) => given((await kms(getPublicKey, { KeyId })).PublicKey).toString('base64');
}
