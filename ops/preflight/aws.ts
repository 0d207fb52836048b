import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { SignatureV4 } from '@smithy/signature-v4';
import * as z from 'zod/mini';
import { NodeSha256 } from '../../shared/adapters/aws/client/node-sha256.ts';
import { parseJson } from '../../shared/adapters/telephony/provider-http.ts';

/** The parameter of a bootstrap with the default qualifier (https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html). */
const BOOTSTRAP = '/cdk-bootstrap/hnb659fds/version';
const TIMEOUT_MS = 8000;

const Parameter = z.object({ Parameter: z.object({ Value: z.string() }) });
const Refusal = z.object({ __type: z.string() });

type Ask = { readonly service: string; readonly region: string; readonly host: string; readonly path: string };
type Body = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/**
 * The questions that the preflight has for AWS. Each only reads, and throws an error with AWS's own code as its name. Uses the
 * credentials of the environment, a profile or a role, and AWS_ENDPOINT_URL if it is set, as AWS's SDK does.
 */
export function awsAccount() {
	const lambda = new LambdaClient({ maxAttempts: 2 });
	const mail = new SESv2Client({ maxAttempts: 2 });
	const region = (): Promise<string> => lambda.config.region();

	/** One signed request to a service without a client of its own here. */
	async function signed({ service, region, host, path }: Ask, post: Body | null): Promise<string> {
		const url = new URL(path, process.env['AWS_ENDPOINT_URL'] ?? `https://${host}`);
		const credentials = await lambda.config.credentials();
		const signer = new SignatureV4({ service, region, credentials, sha256: NodeSha256 });
		const { protocol, hostname, pathname, host: authority } = url;
		const request = { method: post === null ? 'GET' : 'POST', protocol, hostname, path: pathname };
		const headers = { host: authority, ...post?.headers };
		const sent = await signer.sign({ ...request, headers, query: {}, ...(post && { body: post.body }) });
		const init = { method: sent.method, headers: sent.headers, signal: AbortSignal.timeout(TIMEOUT_MS) };
		const answer = await fetch(url, post === null ? init : { ...init, body: post.body });
		const body = await answer.text();
		if (answer.ok) return body;
		const code = Refusal.safeParse(parseJson(body)).data?.__type.split('#').at(-1) ?? /<Code>(\w+)</.exec(body)?.[1];
		throw Object.assign(new Error(service), { name: code ?? `http_${answer.status}` });
	}
	const inRegion = async (service: string, path = '/'): Promise<Ask> => {
		const own = await region();
		return { service, region: own, host: `${service}.${own}.amazonaws.com`, path };
	};
	return {
		region,
		/** The account of the credentials. */
		async account(): Promise<string> {
			const body = 'Action=GetCallerIdentity&Version=2011-06-15';
			const headers = { 'content-type': 'application/x-www-form-urlencoded' };
			const account = /<Account>(\d+)</.exec(await signed(await inRegion('sts'), { headers, body }))?.[1];
			if (account === undefined) throw new Error('no account');
			return account;
		},
		/** The version of the CDK's bootstrap. Throws `ParameterNotFound` if there is none. */
		async bootstrap(): Promise<number> {
			const body = JSON.stringify({ Name: BOOTSTRAP });
			const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AmazonSSM.GetParameter' };
			const said = Parameter.parse(parseJson(await signed(await inRegion('ssm'), { headers, body })));
			return Number(said.Parameter.Value);
		},
		/** The account's concurrent executions. */
		async concurrency(): Promise<number> {
			const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
			return AccountLimit?.ConcurrentExecutions ?? 0;
		},
		/** The number of CloudFront distributions, up to a page of them. */
		async distributions(): Promise<number> {
			const path = '/2020-05-31/distribution';
			const ask = { service: 'cloudfront', region: 'us-east-1', host: 'cloudfront.amazonaws.com', path };
			return Number(/<Quantity>(\d+)</.exec(await signed(ask, null))?.[1] ?? 0);
		},
		/** Whether SES sends to everyone, or only within its sandbox. */
		async sendsToEveryone(): Promise<boolean> {
			return (await mail.send(new GetAccountCommand({}))).ProductionAccessEnabled === true;
		},
		/** Whether SES may send from an address or a domain. Throws `NotFoundException` if it does not know it. */
		async isVerified(identity: string): Promise<boolean> {
			const found = await mail.send(new GetEmailIdentityCommand({ EmailIdentity: identity }));
			return found.VerifiedForSendingStatus === true;
		},
		async secret(arn: string): Promise<string> {
			const secrets = new SecretsManagerClient({ maxAttempts: 2 });
			return (await secrets.send(new GetSecretValueCommand({ SecretId: arn }))).SecretString ?? '';
		},
	};
}
export type AwsAccount = ReturnType<typeof awsAccount>;
