import { STSClient } from '@aws-sdk/client-sts';

const KEYS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const;
/**
 * The variables in which the CDK looks for a region. The CDK reads the region of the profile only if none of these
 * variables is set.
 */
const REGIONS = ['AWS_REGION', 'AMAZON_REGION', 'AWS_DEFAULT_REGION', 'AMAZON_DEFAULT_REGION'];

/**
 * Makes this process and its children use one AWS account and one region: finds the credentials and the region, and writes both
 * into environment variables. The order is that of the AWS CLI: first the profile in `profile`, then keys in the environment,
 * then AWS_PROFILE. If no region is found, AWS_REGION is not set. If no credentials are found, none are set.
 */
export async function resolveAwsAccount(profile: string | undefined): Promise<void> {
	const { env } = process;
	if (profile !== undefined) {
		for (const key of KEYS) delete env[key];
		env['AWS_PROFILE'] = profile;
	} else if (env['AWS_ACCESS_KEY_ID']) delete env['AWS_PROFILE'];
	const regionName = REGIONS.map((name) => env[name]).find(Boolean);
	if (regionName === undefined) delete env['AWS_REGION'];
	else env['AWS_REGION'] = regionName;
	const { config } = new STSClient({});
	const [region, credentials] = await Promise.allSettled([config.region(), config.credentials()]);
	if (region.status === 'fulfilled') env['AWS_REGION'] = region.value;
	if (credentials.status === 'rejected') return;
	const { accessKeyId, secretAccessKey, sessionToken } = credentials.value;
	Object.assign(env, { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey });
	if (sessionToken) env['AWS_SESSION_TOKEN'] = sessionToken;
	delete env['AWS_PROFILE'];
}
