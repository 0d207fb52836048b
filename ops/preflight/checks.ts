import type { Deployment } from '../../infra/deployment.ts';
import { type PlannedTelephony, providerSettings } from '../../infra/properties.ts';
import { phoneNumbers } from '../../shared/adapters/numbering-plans/phone-number.ts';
import { formFault, STORED_FORM } from '../../shared/domain/kernel/stored-form.ts';
import { costsMoreToCall } from '../../shared/domain/workspaces/callable-number.ts';
import { type Finding, failure, ok, warning } from '../finding.ts';
import { OperatorError } from '../operator-error.ts';
import { accountFindings } from '../telephony-check.ts';
import type { AwsAccount } from './aws.ts';
import { sender } from './mail-checks.ts';
import { ask } from './question.ts';

export type Planned = Pick<Deployment, 'telephony' | 'mailSender' | 'callConcurrency'> &
	Partial<Pick<Deployment, 'stackName'>>;

/**
 * The bootstrap version that templates of this CDK require (`requiresBootstrapStackVersion` in the manifest of
 * `cdk.out`).
 */
const BOOTSTRAP_VERSION = 6;
/** The usual quota of an account; a new one has fewer. */
const USUAL_CONCURRENCY = 1000;
/** Executions that stay unreserved, or have a reservation of their own: see infra/workers.ts. */
const BESIDE_CALLS = 107;
const CALL_FUNCTIONS = 5;

/** Errors after which no credentials of this environment will be accepted. Any other may pass. */
const REFUSED_CREDENTIALS =
	/^(CredentialsProviderError|TokenProviderError|InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch|ExpiredToken(Exception)?)$/;

/** Asks AWS and the provider whether a deployment will work. Reads only. Ends early without region or credentials. */
export async function preflight(aws: AwsAccount, planned: Planned): Promise<readonly Finding[]> {
	const region = await aws.region().catch(() => null);
	if (region === null) return [failure('region', 'none. Set AWS_REGION, or a region in your profile.')];
	const remedy = 'AWS does not accept them. Sign in, and check with: aws sts get-caller-identity';
	const identity = await ask('credentials', 'sts:GetCallerIdentity', async () => {
		const account = await aws.account().catch(whenRefused);
		return account === null
			? failure('credentials', remedy)
			: ok('credentials', `account ${account}, region ${region}`);
	});
	if (identity.result === 'failed') return [identity];
	const { telephony, mailSender, callConcurrency, stackName } = planned;
	return [
		identity,
		...(await Promise.all([bootstrap(aws), concurrency(aws, callConcurrency), cloudFront(aws)])),
		...(stackName === undefined ? [] : [await storedRecords(aws, stackName)]),
		...(mailSender === undefined ? [] : await sender(aws, mailSender)),
		...(telephony === undefined || telephony.provider === 'simulator'
			? []
			: [...costOf(telephony.callerNumber), ...(await provider(aws, telephony))]),
	];
}

function whenRefused(error: unknown): null {
	if (error instanceof Error && REFUSED_CREDENTIALS.test(error.name)) return null;
	throw error;
}

function bootstrap(aws: AwsAccount): Promise<Finding> {
	const name = 'bootstrap';
	const remedy = 'Run npm run bootstrap, once for each account and region.';
	return ask(
		name,
		'ssm:GetParameter',
		async () => {
			const version = await aws.bootstrap();
			return version >= BOOTSTRAP_VERSION
				? ok(name, `version ${version}`)
				: failure(name, `version ${version}. ${remedy}`);
		},
		{ ParameterNotFound: `none in this account and region. ${remedy}` },
	);
}

function concurrency(aws: AwsAccount, each: number | undefined): Promise<Finding> {
	const name = 'Lambda concurrency';
	const request = `Request ${USUAL_CONCURRENCY} in Service Quotas, "Concurrent executions".`;
	return ask(name, 'lambda:GetAccountSettings', async () => {
		const quota = await aws.concurrency();
		const needed_concurrency = each === undefined ? 0 : CALL_FUNCTIONS * each + BESIDE_CALLS;
		if (quota < needed_concurrency)
			return failure(name, `${quota}, and callConcurrency ${each} needs ${needed_concurrency}. ${request}`);
		if (quota >= USUAL_CONCURRENCY) return ok(name, `${quota}`);
		return warning(name, `${quota}: it deploys, and calls work, but real traffic is throttled. ${request}`);
	});
}

/** Whether this release reads the records of the deployed stack. The first release candidate has no tag. */
function storedRecords(aws: AwsAccount, stack_name: string): Promise<Finding> {
	const name = 'stored records';
	return ask(name, 'dynamodb:ListTables, dynamodb:DescribeTable and dynamodb:ListTagsOfResource', async () => {
		const forms = await aws.storedForms(stack_name);
		const unreadable = forms.find((form) => form !== null && formFault(Number(form)) !== null);
		if (unreadable === undefined)
			return ok(name, forms.length === 0 ? `${stack_name} has none yet` : 'of a form that is read');
		const fault = `the table of ${stack_name} holds records of form ${unreadable}, and this release reads form ${STORED_FORM}`;
		return failure(name, `${fault}. Deploy the release that wrote them, or a newer one.`);
	});
}

/** AWS shows nowhere whether it has verified an account for CloudFront: a distribution proves it. */
function cloudFront(aws: AwsAccount): Promise<Finding> {
	const name = 'CloudFront';
	return ask(name, 'cloudfront:ListDistributions', async () => {
		const count = await aws.distributions();
		if (count > 0) return ok(name, 'the account has distributions');
		return warning(name, 'no distribution yet: only creating one shows whether AWS has verified a new account for it.');
	});
}

type Account = Exclude<PlannedTelephony, { readonly provider: 'simulator' }>;

async function provider(aws: AwsAccount, telephony: Account): Promise<readonly Finding[]> {
	let text: string | null = null;
	const remedy = 'telephony.secret must be the ARN of a secret in this region.';
	const secret = await ask(
		'provider’s secret',
		'secretsmanager:GetSecretValue',
		async () => {
			text = await aws.secret(telephony.secret);
			return ok('provider’s secret', 'readable');
		},
		{ ResourceNotFoundException: remedy, ValidationException: remedy },
	);
	if (text === null) return [secret];
	const readable = text;
	try {
		const calls = { regions: regionOf(telephony.callerNumber), callers: [] };
		const settings = providerSettings(telephony);
		const checks = await accountFindings(telephony.provider, settings, calls, async () => readable);
		return [secret, ...checks];
	} catch (error) {
		if (!(error instanceof OperatorError)) throw error;
		return [secret, failure(telephony.provider, `${error.message}: see docs/telephony.md.`)];
	}
}

/** Empty if the number costs no more than a usual call, or no plan has it. A deployment that has such a number stays deployable. */
function costOf(caller: string): readonly Finding[] {
	const number = phoneNumbers.parse(caller);
	if ('refused' in number || !costsMoreToCall(number)) return [];
	const says = 'visitors and members who call it back pay more than for a usual call';
	return [warning('caller number', `${says}: set telephony.callerNumber to an ordinary number of the account.`)];
}

/** The region of the caller number: the one that is surely called. */
function regionOf(caller: string) {
	const number = phoneNumbers.parse(caller);
	return 'refused' in number ? [] : [{ region: number.region, workspaces: [] }];
}
