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
import { VaultBusy } from '../../../ports/vault.ts';
import type { AwsEnv } from '../client/account.ts';
import { ask } from '../client/ask.ts';
import { awsClient } from '../client/client.ts';
import { AwsFailure } from '../client/failure.ts';
import { type Operation, operation } from '../client/operation.ts';
import { VISITOR_BUDGET } from '../client/retry.ts';

export type KmsEnv = AwsEnv & { readonly AWS_ENDPOINT_URL_KMS?: string | undefined };

export const decrypt = operation<DecryptCommand>(Decrypt$);
export const generateDataKey = operation<GenerateDataKeyCommand>(GenerateDataKey$);
export const generateMac = operation<GenerateMacCommand>(GenerateMac$);
export const getPublicKey = operation<GetPublicKeyCommand>(GetPublicKey$);

/** Returns the result, or throws `VaultBusy` when the budget is spent, `AwsFailure` if KMS refuses. */
export type Kms = <In extends object, Out extends MetadataBearer>(
	operation: Operation<In, Out>,
	input: In,
) => Promise<Out>;

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

/** AWS KMS. Every operation here is safe to repeat. */
export function kmsClient(env: KmsEnv): Kms {
	const aws = awsClient({ name: 'kms', endpoint: env.AWS_ENDPOINT_URL_KMS, protocol: kmsProtocol() }, env);
	return async (asked, input) => {
		const result = await ask(aws, asked, input, VISITOR_BUDGET, ({ code }) => transient.has(code));
		if ('output' in result) return result.output;
		const failure = new AwsFailure('kms', asked.name, result.code);
		throw 'is' in result ? new VaultBusy(failure.message, { cause: failure }) : failure;
	};
}

/** Bytes that every KMS response contains; throws if they are missing. */
export function given(bytes: Uint8Array | undefined): Buffer {
	if (bytes === undefined) throw new Error('kms: an answer without what was asked for');
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
