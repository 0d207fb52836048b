import { phoneNumbers } from '../../shared/adapters/numbering-plans/phone-number.ts';
import { formFault, STORED_FORM } from '../../shared/domain/kernel/stored-form.ts';
import { costsMoreToCall } from '../../shared/domain/workspaces/callable-number.ts';
import { type Finding, failure, ok, warning } from '../finding.ts';
import { OperatorError } from '../operator-error.ts';
import { accountFindings } from '../telephony-check.ts';
import { docsPage, typedForCdk } from '../typed.ts';
import type { AwsAccount } from './aws.ts';
import { sender } from './mail-checks.ts';
import { type Bootstrap, DEFAULT_BOOTSTRAP, type Place, type Plan, type PlannedProvider } from './plan.ts';
import { askAws } from './question.ts';

/** The usual quota of concurrent executions. A new account has fewer. */
const USUAL_CONCURRENCY = 1000;
/** AWS does not let an account reserve its last executions. This is how many must stay unreserved. */
const UNRESERVED = 100;

/** Errors which mean that AWS accepts no request with these credentials. Any other error may be temporary. */
const REFUSED_CREDENTIALS =
	/^(CredentialsProviderError|TokenProviderError|InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch|ExpiredToken(Exception)?)$/;

/**
 * Asks AWS and the phone provider whether a deployment will work. It only reads. If there is no region or there are no
 * credentials, it ends early.
 */
export async function preflight(aws: AwsAccount, planIn: (place: Place) => Plan): Promise<readonly Finding[]> {
	const region = await aws.region().catch(() => null);
	if (region === null) return [failure('region', 'none. Set AWS_REGION, or a region in your profile.')];
	const remedy = 'AWS does not accept them. Sign in, and check with: aws sts get-caller-identity';
	let account: string | null = null;
	const identity = await askAws('credentials', 'sts:GetCallerIdentity', async () => {
		account = await aws.account().catch(whenRefused);
		return account === null
			? failure('credentials', remedy)
			: ok('credentials', `account ${account}, region ${region}`);
	});
	if (identity.result === 'failed') return [identity];
	const plan = planIn({ account, region });
	if (plan.account !== undefined && account !== null && plan.account !== account)
		return [failure('credentials', `of account ${account}, and the app deploys to ${plan.account}. Choose a profile.`)];
	const { telephony, mailSender, reserved, stackName, certificateRegion, bootstrap, open = [] } = plan;
	return [
		identity,
		...(await Promise.all([bootstrapped(aws, bootstrap), concurrency(aws, reserved), cloudFront(aws)])),
		...(certificateRegion === undefined ? [] : [certificate(certificateRegion, region)]),
		...(stackName === undefined ? [] : [await storedRecords(aws, stackName)]),
		...(mailSender === undefined ? [] : await sender(aws, mailSender)),
		...(telephony === undefined ? [] : [...costOf(telephony), ...(await provider(aws, telephony))]),
		...open.map((property) => warning(property, 'not asked: only the deployment knows its value. Check it by hand.')),
	];
}

function whenRefused(error: unknown): null {
	if (error instanceof Error && REFUSED_CREDENTIALS.test(error.name)) return null;
	throw error;
}

function bootstrapped(aws: AwsAccount, { version: least, parameter }: Bootstrap = DEFAULT_BOOTSTRAP): Promise<Finding> {
	const name = 'bootstrap';
	const remedy = `Run ${typedForCdk('bootstrap')}, once for each account and region.`;
	return askAws(
		name,
		'ssm:GetParameter',
		async () => {
			const version = await aws.bootstrap(parameter);
			return version >= least ? ok(name, `version ${version}`) : failure(name, `version ${version}. ${remedy}`);
		},
		{ ParameterNotFound: `none in this account and region. ${remedy}` },
	);
}

function concurrency(aws: AwsAccount, reserved = 0): Promise<Finding> {
	const name = 'Lambda concurrency';
	const request = `Request ${USUAL_CONCURRENCY} in Service Quotas, "Concurrent executions".`;
	return askAws(name, 'lambda:GetAccountSettings', async () => {
		const quota = await aws.concurrency();
		const needed = reserved === 0 ? 0 : reserved + UNRESERVED;
		if (quota < needed) return failure(name, `${quota}, and callConcurrency needs ${needed}. ${request}`);
		if (quota >= USUAL_CONCURRENCY) return ok(name, `${quota}`);
		return warning(name, `${quota}: it deploys, and calls work, but real traffic is throttled. ${request}`);
	});
}

/** API Gateway accepts only certificates of its own region. */
function certificate(found: string, region: string): Finding {
	const name = 'certificate';
	if (found === region) return ok(name, `in ${region}`);
	return failure(name, `in ${found}, and the deployment is in ${region}. Request one for domainName in ${region}.`);
}

/**
 * Whether this release can read the records of the deployed stack. A tag of the table says which form the records have (see
 * `STORED_FORM`). A table without the tag is accepted, because the first release candidate made its table without the tag.
 */
function storedRecords(aws: AwsAccount, stackName: string): Promise<Finding> {
	const name = 'stored records';
	return askAws(name, 'dynamodb:ListTables, dynamodb:DescribeTable and dynamodb:ListTagsOfResource', async () => {
		const forms = await aws.storedForms(stackName);
		const unreadable = forms.find((form) => form !== null && formFault(Number(form)) !== null);
		if (unreadable === undefined)
			return ok(name, forms.length === 0 ? `${stackName} has none yet` : 'of a form that this release reads');
		const fault = `the table of ${stackName} holds records of form ${unreadable}, and this release reads form ${STORED_FORM}`;
		return failure(name, `${fault}. Deploy the release that wrote them, or a newer one.`);
	});
}

/**
 * Whether CloudFront can be used. AWS does not show whether it has verified an account for CloudFront. But if the account has
 * a distribution, it was verified.
 */
function cloudFront(aws: AwsAccount): Promise<Finding> {
	const name = 'CloudFront';
	return askAws(name, 'cloudfront:ListDistributions', async () => {
		const count = await aws.distributions();
		if (count > 0) return ok(name, 'the account has distributions');
		return warning(name, 'no distribution yet: only creating one shows whether AWS has verified a new account for it.');
	});
}

async function provider(aws: AwsAccount, telephony: PlannedProvider): Promise<readonly Finding[]> {
	let text: string | null = null;
	const remedy = 'telephony.secret must be the ARN of a secret in this region.';
	const secret = await askAws(
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
		const checks = await accountFindings(telephony.provider, telephony.settings, calls, async () => readable);
		return [secret, ...checks];
	} catch (error) {
		if (!(error instanceof OperatorError)) throw error;
		return [secret, failure(telephony.provider, `${error.message}: see ${docsPage('telephony.md')}.`)];
	}
}

/**
 * A warning if a call to the number costs more than a usual call. Empty if the call costs no more, or if no numbering plan
 * contains the number. The finding is only a warning, so that a deployment which already has such a number can still be updated.
 */
function costOf(telephony: PlannedProvider): readonly Finding[] {
	const number = phoneNumbers.parse(telephony.callerNumber);
	if ('refused' in number || !costsMoreToCall(number)) return [];
	const says = 'visitors and members who call it back pay more than for a usual call';
	return [warning('caller number', `${says}: set telephony.callerNumber to an ordinary number of the account.`)];
}

/**
 * The region of the caller number. The preflight knows no workspace, so this is the only region of which it can say that calls
 * will go there.
 */
function regionOf(caller: string) {
	const number = phoneNumbers.parse(caller);
	return 'refused' in number ? [] : [{ region: number.region, workspaces: [] }];
}
