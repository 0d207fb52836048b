import { GetSecretValue$, type GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { AwsJson1_1Protocol } from '@aws-sdk/core/protocols';
import type { AwsEnv } from '../../env.ts';
import type { ProviderSecrets } from '../../ports/provider-secrets.ts';
import { awsClient, sendToAws, VISITOR_BUDGET } from './client/client.ts';
import { AwsFailure } from './client/failure.ts';
import { plainJson } from './client/json.ts';
import { operation } from './client/operation.ts';

type SecretsEnv = AwsEnv & { readonly AWS_ENDPOINT_URL_SECRETS_MANAGER?: string | undefined };

export const getSecretValue = operation<GetSecretValueCommand>(GetSecretValue$);

/** The temporary error among the "Common errors" in the reference of Secrets Manager. */
const THROTTLED = 'ThrottlingException';

/**
 * The protocol settings of the SDK's SecretsManagerClient, which does not export them (`runtimeConfig.shared`). We leave
 * out `errorTypeRegistries`, because we do not read the fields of errors, and `version`, which this protocol does not use.
 */
export const secretsProtocol = () =>
	new AwsJson1_1Protocol({
		defaultNamespace: 'com.amazonaws.secretsmanager',
		serviceTarget: 'secretsmanager',
		jsonCodec: plainJson(),
	});

/** Reads secrets from AWS Secrets Manager. Throws `AwsFailure`, which never contains the secret. */
export function secretsManager(env: SecretsEnv): ProviderSecrets {
	const endpoint = env.AWS_ENDPOINT_URL_SECRETS_MANAGER;
	const aws = awsClient({ name: 'secretsmanager', endpoint, protocol: secretsProtocol() }, env);
	return {
		async read(SecretId) {
			const result = await sendToAws(
				aws,
				getSecretValue,
				{ SecretId },
				VISITOR_BUDGET,
				({ code }) => code === THROTTLED,
			);
			const text = result.outcome === 'ok' ? result.output.SecretString : undefined;
			if (text !== undefined) return text;
			throw new AwsFailure('secretsmanager', 'GetSecretValue', result.outcome === 'ok' ? 'NotText' : result.code);
		},
	};
}
