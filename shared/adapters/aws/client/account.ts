import type { AwsEnv } from '../../../env.ts';

export function credentialsOf({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN }: AwsEnv) {
	const key = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
	return AWS_SESSION_TOKEN === undefined ? key : { ...key, sessionToken: AWS_SESSION_TOKEN };
}

/** The address of a service. AWS uses other domains only in partitions in which the service cannot run (infra/place.ts). */
export const awsEndpoint = (service: string, { AWS_REGION, AWS_ENDPOINT_URL }: AwsEnv): string =>
	AWS_ENDPOINT_URL ?? `https://${service}.${AWS_REGION}.amazonaws.com`;

/**
 * The configuration of the SDK's own clients. They start slowly, so they must not be used in functions for whose response a
 * client of our API waits.
 */
export function plainConfig(endpoint: string | undefined, env: AwsEnv) {
	const overrideUrl = endpoint ?? env.AWS_ENDPOINT_URL;
	return {
		region: env.AWS_REGION,
		credentials: credentialsOf(env),
		...(overrideUrl !== undefined && { endpoint: overrideUrl }),
	};
}
