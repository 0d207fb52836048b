import { phoneNumbers } from '../../shared/adapters/phone-metadata/phone-number.ts';
import { parseJson } from '../../shared/adapters/telephony/provider-http.ts';
import { OperatorError } from '../operator-error.ts';
import type { Check } from '../telephony/account-check.ts';
import { checksOf } from '../telephony/check.ts';
import type { AwsAccount } from './aws.ts';

/**
 * One check. `failed`: the deployment, or the first call, would fail. `warning`: it works with less, or AWS did not say.
 * `found` ends with what to do.
 */
export type Finding = { readonly check: string; readonly result: 'ok' | 'warning' | 'failed'; readonly found: string };

/** Parameters of the deployment, by name. */
export type Parameters = Readonly<Record<string, string>>;

/** What the templates of this CDK require (`aws:cdk:enable-...`: `requiresBootstrapStackVersion` of a manifest). */
const BOOTSTRAP_VERSION = 6;
/** The usual quota of an account; a new one has fewer. */
const USUAL_CONCURRENCY = 1000;
/** Executions that stay unreserved, or have a reservation of their own: see infra/constructs/concurrency.ts. */
const BESIDE_CALLS = 107;
const CALL_FUNCTIONS = 5;

const ok = (check: string, found: string): Finding => ({ check, result: 'ok', found });
const warning = (check: string, found: string): Finding => ({ check, result: 'warning', found });
const failure = (check: string, found: string): Finding => ({ check, result: 'failed', found });

/** `remedies`: what to do about a code of AWS. Without the permission to ask, a check only warns. */
async function ask(
	check: string,
	permission: string,
	run: () => Promise<Finding>,
	remedies: Readonly<Record<string, string>> = {},
): Promise<Finding> {
	try {
		return await run();
	} catch (error) {
		const code = error instanceof Error ? error.name : 'no answer';
		const remedy = remedies[code];
		if (remedy !== undefined) return failure(check, remedy);
		if (/AccessDenied|NotAuthorized|Unauthorized/.test(code)) {
			return warning(check, `not asked: your credentials lack ${permission}. Check it by hand.`);
		}
		return failure(check, `AWS answered ${code}. Try again.`);
	}
}

/** Asks AWS and the provider whether this deployment will work. Reads only. Ends early without region or credentials. */
export async function preflight(aws: AwsAccount, parameters: Parameters): Promise<readonly Finding[]> {
	const region = await aws.region().catch(() => null);
	if (region === null) return [failure('region', 'none. Set AWS_REGION, or a region in your profile.')];
	const identity = await aws.account().then(
		(account) => ok('credentials', `account ${account}, region ${region}`),
		() => failure('credentials', 'AWS does not accept them. Sign in, and check with: aws sts get-caller-identity'),
	);
	if (identity.result !== 'ok') return [identity];
	return [
		identity,
		...(await Promise.all([bootstrap(aws), concurrency(aws, parameters['CallConcurrency'] ?? '0'), cloudFront(aws)])),
		...(await sender(aws, parameters['MailSender'] ?? 'none')),
		...(await telephony(aws, parameters)),
	];
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

function concurrency(aws: AwsAccount, each: string): Promise<Finding> {
	const name = 'Lambda concurrency';
	const request = `Request ${USUAL_CONCURRENCY} in Service Quotas, "Concurrent executions".`;
	return ask(name, 'lambda:GetAccountSettings', async () => {
		const quota = await aws.concurrency();
		const needed_concurrency = each === '0' ? 0 : CALL_FUNCTIONS * Number(each) + BESIDE_CALLS;
		if (quota < needed_concurrency)
			return failure(name, `${quota}, and CallConcurrency=${each} needs ${needed_concurrency}. ${request}`);
		if (quota >= USUAL_CONCURRENCY) return ok(name, `${quota}`);
		return warning(name, `${quota}: it deploys, and calls work, but real traffic is throttled. ${request}`);
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

async function sender(aws: AwsAccount, address: string): Promise<readonly Finding[]> {
	if (address === 'none') return [];
	const name = `mail from ${address.split('@').at(-1)}`;
	const verify = 'Verify MailSender, or its domain, in Amazon SES in this region.';
	const identity = await ask(name, 'ses:GetEmailIdentity', async () => {
		const domain = address.split('@').at(-1) ?? '';
		const isVerified = (await knows(aws, address)) || (await knows(aws, domain));
		return isVerified ? ok(name, 'verified') : failure(name, `not verified. ${verify}`);
	});
	const sandbox = await ask('mail sandbox', 'ses:GetAccount', async () => {
		if (await aws.sendsToEveryone()) return ok('mail sandbox', 'left');
		return warning('mail sandbox', 'SES sends to verified addresses only. Request production access in its console.');
	});
	return [identity, sandbox];
}

const knows = (aws: AwsAccount, identity: string): Promise<boolean> =>
	aws.isVerified(identity).catch((error: unknown) => {
		if (error instanceof Error && error.name === 'NotFoundException') return false;
		throw error;
	});

async function telephony(aws: AwsAccount, parameters: Parameters): Promise<readonly Finding[]> {
	const provider = parameters['TelephonyProvider'] ?? 'none';
	if (provider !== 'twilio' && provider !== 'telnyx') return [];
	const arn = parameters['TelephonySecretArn'] ?? '';
	let text: string | null = null;
	const remedy = 'Pass the ARN of a secret in this region as TelephonySecretArn.';
	const secret = await ask(
		'provider’s secret',
		'secretsmanager:GetSecretValue',
		async () => {
			text = await aws.secret(arn);
			return ok('provider’s secret', 'readable');
		},
		{ ResourceNotFoundException: remedy, ValidationException: remedy },
	);
	if (text === null) return [secret];
	const settings = parseJson(parameters['TelephonySettings'] ?? '{}');
	const readable = text;
	try {
		const checks = await checksOf(
			provider,
			settings,
			{ regions: regionOf(settings), callers: [] },
			async () => readable,
		);
		return [secret, ...checks.map(findingOf)];
	} catch (error) {
		if (!(error instanceof OperatorError)) throw error;
		return [secret, failure(provider, `${error.message}: see docs/telephony.md.`)];
	}
}

/** The region of the caller number: the one that is surely called. */
function regionOf(settings: unknown): readonly string[] {
	const from = typeof settings === 'object' && settings !== null && 'from' in settings ? settings.from : null;
	const number = typeof from === 'string' ? phoneNumbers.parse(from) : null;
	return number === null || 'refused' in number ? [] : [number.region];
}

const findingOf = ({ check, ok: passed, found, change = '' }: Check): Finding =>
	passed ? ok(check, found) : failure(check, `${found}. ${change}`);
