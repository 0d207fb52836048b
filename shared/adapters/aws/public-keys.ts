import { type AwsEnv, awsJsonClient } from './json-client.ts';

type KmsEnv = AwsEnv & { readonly AWS_ENDPOINT_URL_KMS?: string | undefined };
type Operations = { GetPublicKey: { input: { readonly KeyId: string }; output: { readonly PublicKey: string } } };

const TIMEOUT_MS = 5000;

/** The public half of an asymmetric key: base64 of its DER SubjectPublicKeyInfo. Throws when KMS does not give it. */
export function kmsPublicKeys(env: KmsEnv): (key_id: string) => Promise<string> {
	const service = {
		name: 'kms',
		target: 'TrentService',
		json_version: '1.1',
		endpoint: env.AWS_ENDPOINT_URL_KMS,
	} as const;
	const kms = awsJsonClient<Operations>(service, env);
	return async (key_id) => {
		const answer = await kms.call('GetPublicKey', { KeyId: key_id }, TIMEOUT_MS);
		if (answer.answer === 'ok') return answer.output.PublicKey;
		throw new Error(`kms: GetPublicKey ${answer.answer} with ${answer.code}`);
	};
}
