import type { ProviderSecrets } from '../../ports/provider-secrets.ts';
import { type AwsEnv, awsJsonClient } from './json-client.ts';
import { VISITOR_BUDGET, withinBudget } from './retry.ts';

type SecretsOperations = {
	GetSecretValue: { input: { readonly SecretId: string }; output: { readonly SecretString?: string } };
};

/** "Common errors" of its reference: passes by itself. */
const THROTTLED = 'ThrottlingException';

/** Secrets of AWS Secrets Manager. An error names AWS's code, never the secret. */
export function secretsManager(
	env: AwsEnv & { readonly AWS_ENDPOINT_URL_SECRETS_MANAGER?: string | undefined },
): ProviderSecrets {
	const service = {
		name: 'secretsmanager',
		target: 'secretsmanager',
		json_version: '1.1',
		endpoint: env.AWS_ENDPOINT_URL_SECRETS_MANAGER,
	} as const;
	const aws = awsJsonClient<SecretsOperations>(service, env);
	return {
		async read(name) {
			const result = await withinBudget(VISITOR_BUDGET, async (try_ms) => {
				const answer = await aws.call('GetSecretValue', { SecretId: name }, try_ms);
				const again = answer.answer === 'unclear' || (answer.answer === 'refused' && answer.code === THROTTLED);
				return again ? { is: 'again', code: answer.code } : { is: 'done', value: answer };
			});
			if (result.is === 'spent') throw new Error(`secrets manager: ${result.code}`);
			const answer = result.value;
			if (answer.answer === 'refused') throw new Error(`secrets manager: ${answer.code}`);
			if (answer.output.SecretString === undefined) throw new Error('secrets manager: the secret is not text');
			return answer.output.SecretString;
		},
	};
}
