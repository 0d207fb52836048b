import type { AwsEnv } from '../../../env.ts';

export function credentialsOf({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN }: AwsEnv) {
	const key = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
	return AWS_SESSION_TOKEN === undefined ? key : { ...key, sessionToken: AWS_SESSION_TOKEN };
}

/** Partitions with another domain, by the prefix of their regions. In an isolated partition, set AWS_ENDPOINT_URL. */
const DOMAINS = { 'cn-': 'amazonaws.com.cn', 'eusc-': 'amazonaws.eu' } as const;

/** The address of a service in the partition of the region: AWS's own, China's, GovCloud's, Europe's. */
export function endpointOf(service: string, { AWS_REGION, AWS_ENDPOINT_URL }: AwsEnv): string {
	const [, domain = 'amazonaws.com'] = Object.entries(DOMAINS).find(([begin]) => AWS_REGION.startsWith(begin)) ?? [];
	return AWS_ENDPOINT_URL ?? `https://${service}.${AWS_REGION}.${domain}`;
}

/** Configuration of the SDK's own clients, for functions whose cold start no request waits for. */
export function plainConfig(endpoint: string | undefined, env: AwsEnv) {
	const overrideUrl = endpoint ?? env.AWS_ENDPOINT_URL;
	return {
		region: env.AWS_REGION,
		credentials: credentialsOf(env),
		...(overrideUrl !== undefined && { endpoint: overrideUrl }),
	};
}
