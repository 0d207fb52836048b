import { VaultBusy } from '../../ports/vault.ts';
import { type AwsEnv, awsJsonClient } from './json-client.ts';
import { VISITOR_BUDGET, withinBudget } from './retry.ts';

export type KmsEnv = AwsEnv & { readonly AWS_ENDPOINT_URL_KMS?: string | undefined };

/** Bytes travel as base64. */
type Base64 = string;
type Context = Readonly<Record<string, string>>;
type KmsOperations = {
	GetPublicKey: { input: { readonly KeyId: string }; output: { readonly PublicKey: Base64 } };
	GenerateDataKey: {
		input: { readonly KeyId: string; readonly KeySpec: 'AES_256'; readonly EncryptionContext: Context };
		output: { readonly Plaintext: Base64; readonly CiphertextBlob: Base64 };
	};
	Decrypt: {
		input: {
			readonly KeyId: string;
			readonly CiphertextBlob: Base64;
			readonly EncryptionContext?: Context;
			readonly EncryptionAlgorithm?: 'RSAES_OAEP_SHA_256';
		};
		output: { readonly Plaintext: Base64 };
	};
	GenerateMac: {
		input: { readonly KeyId: string; readonly Message: Base64; readonly MacAlgorithm: 'HMAC_SHA_256' };
		output: { readonly Mac: Base64 };
	};
};

/** Answers or throws (`VaultBusy` when the budget is spent); the error names the operation and KMS's code, never what was asked. */
export type Kms = <K extends keyof KmsOperations>(
	operation: K,
	input: KmsOperations[K]['input'],
) => Promise<KmsOperations[K]['output']>;

/** "Error handling" in the KMS reference: these pass by themselves. */
const transient: ReadonlySet<string> = new Set([
	'ThrottlingException',
	'DependencyTimeoutException',
	'KMSInternalException',
	'KeyUnavailableException',
]);

/** AWS's key management. Every operation used here may be repeated. */
export function kmsClient(env: KmsEnv): Kms {
	const service = {
		name: 'kms',
		target: 'TrentService',
		json_version: '1.1',
		endpoint: env.AWS_ENDPOINT_URL_KMS,
	} as const;
	const aws = awsJsonClient<KmsOperations>(service, env);
	return async (operation, input) => {
		const result = await withinBudget(VISITOR_BUDGET, async (try_ms) => {
			const answer = await aws.call(operation, input, try_ms);
			const again = answer.answer === 'unclear' || (answer.answer === 'refused' && transient.has(answer.code));
			return again ? { is: 'again', code: answer.code } : { is: 'done', value: answer };
		});
		if (result.is === 'spent') throw new VaultBusy(`kms: ${operation} failed with ${result.code}`);
		if (result.value.answer === 'ok') return result.value.output;
		throw new Error(`kms: ${operation} failed with ${result.value.code}`);
	};
}
