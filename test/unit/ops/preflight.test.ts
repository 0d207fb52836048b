import { beforeEach, describe, expect, it } from '@jest/globals';
import { awsAccount } from '../../../ops/preflight/aws.ts';
import { preflight } from '../../../ops/preflight/checks.ts';
import { type Plan, type Planned, planOfFile } from '../../../ops/preflight/plan.ts';
import { STORED_FORM, STORED_FORM_TAG } from '../../../shared/domain/kernel/stored-form.ts';
import { ACCOUNT_SID, type Account, answerAboutAccount, FROM, TOKEN } from '../../support/phones/account-answers.ts';
import type { Answering } from '../../support/phones/phone-provider.ts';
import { providerApis } from '../../support/phones/provider-apis.ts';

const startApi = providerApis();

const ok = (body: unknown): Answering => ({ status: 200, body });
const denied: Answering = { status: 400, body: { __type: 'AccessDeniedException', message: 'no' } };
const error = (code: string): Answering => ({ status: 400, body: { __type: `com.amazonaws#${code}`, message: 'no' } });
const deniedRest: Answering = {
	status: 403,
	headers: { 'x-amzn-errortype': 'AccessDeniedException' },
	body: { message: 'no' },
};

const TABLES = 'DynamoDB_20120810.ListTables';
const TAGS = 'DynamoDB_20120810.ListTagsOfResource';
const IDENTITY = 'POST /?sts';
const BOOTSTRAP = 'AmazonSSM.GetParameter';
const LAMBDA = 'GET /2016-08-19/account-settings';
const CLOUDFRONT = 'GET /2020-05-31/distribution';
const SECRET = 'secretsmanager.GetSecretValue';
const COUNTRY = '/v1/DialingPermissions/Countries/US';

/** An identity that SES has verified. */
const identity = (changes: object = {}, dkim: object = {}): Answering =>
	ok({
		VerifiedForSendingStatus: true,
		DkimAttributes: { SigningEnabled: true, Status: 'SUCCESS', ...dkim },
		...changes,
	});

const queryError = (code: string, message: string): Answering => ({
	status: 400,
	body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
});

/** An AWS account that is ready for a deployment with mail and Twilio: the documented response to each request. */
const READY: Readonly<Record<string, Answering>> = {
	[IDENTITY]: ok(
		'<GetCallerIdentityResponse><GetCallerIdentityResult><Account>111122223333</Account></GetCallerIdentityResult></GetCallerIdentityResponse>',
	),
	[BOOTSTRAP]: ok({ Parameter: { Name: '/cdk-bootstrap/hnb659fds/version', Type: 'String', Value: '30' } }),
	[LAMBDA]: ok({ AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 1000 } }),
	[TABLES]: ok({ TableNames: ['CallBack-DataTable-1', 'Other-Table-1'] }),
	'DynamoDB_20120810.DescribeTable': ok({
		Table: { TableArn: 'arn:aws:dynamodb:us-east-1:111122223333:table/CallBack-DataTable-1' },
	}),
	[TAGS]: ok({ Tags: [{ Key: STORED_FORM_TAG, Value: String(STORED_FORM) }] }),
	[CLOUDFRONT]: ok('<DistributionList><Quantity>1</Quantity></DistributionList>'),
	'GET /v2/email/account': ok({ ProductionAccessEnabled: true }),
	'GET /v2/email/identities/shop.example': identity(),
	[SECRET]: ok({ SecretString: JSON.stringify({ auth_token: TOKEN }) }),
};
const TWILIO: Planned = {
	mailSender: 'team@shop.example',
	telephony: {
		provider: 'twilio',
		accountSid: ACCOUNT_SID,
		callerNumber: FROM,
		secret: 'arn:aws:secretsmanager:us-east-1:111122223333:secret:call-back/twilio-AbCdEf',
	},
};

const unknown: Answering = { status: 404, headers: { 'x-amzn-errortype': 'NotFoundException' }, body: {} };

/** The lines of a preflight's output that are not ok. */
async function lines(
	changes: Readonly<Record<string, Answering>> = {},
	planned: Planned = TWILIO,
	account: Account = 'twilio full',
	more: Plan = {},
) {
	const api = await startApi((asked) => {
		const target = asked.headers['x-amz-target'] ?? (asked.body.includes('Action=') ? IDENTITY : null);
		const key = String(target ?? `${asked.method} ${asked.path.split('?')[0]}`);
		return { ...READY, ...changes }[key] ?? answerAboutAccount(account, asked, changes) ?? unknown;
	});
	Object.assign(process.env, { AWS_ENDPOINT_URL: api.url, TELEPHONY_API_URL: api.url });
	const findings = await preflight(awsAccount(), () => ({ ...planOfFile(planned), ...more }));
	expect(
		api.asked.filter(
			({ method, headers, body }) => method !== 'GET' && !/Get|Describe|List/.test(`${headers['x-amz-target']}${body}`),
		),
	).toEqual([]);
	return findings.flatMap(({ check, result, found }) => (result === 'ok' ? [] : [`${result} ${check}: ${found}`]));
}

describe('a preflight', () => {
	beforeEach(() => {
		Object.assign(process.env, { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' });
	});

	it('finds nothing in an account that is ready, and only reads', async () => {
		expect(await lines()).toEqual([]);
		expect(await lines({}, {})).toEqual([]);
	});

	it.each(['+19005550100', '+12129765010', '+491805123456'])(
		'warns about a caller number that is expensive to call back: %s',
		async (callerNumber) => {
			const { telephony } = TWILIO;
			if (telephony?.provider !== 'twilio') throw new Error('another provider');
			const planned: Planned = { ...TWILIO, telephony: { ...telephony, callerNumber } };
			expect((await lines({}, planned))[0]).toMatch(
				/^warning caller number: visitors and members who call it back pay more/,
			);
		},
	);

	it.each([
		['this release', ok({ Tags: [{ Key: STORED_FORM_TAG, Value: String(STORED_FORM) }] })],
		['the first release candidate', ok({ Tags: [{ Key: 'application', Value: 'call-back' }] })],
	])('passes with a table of %s', async (_, tags) => {
		expect(await lines({ [TAGS]: tags }, { stackName: 'CallBack' })).toEqual([]);
	});

	it('passes if no stack has a table yet', async () => {
		expect(await lines({ [TABLES]: ok({ TableNames: [] }) }, { stackName: 'CallBack' })).toEqual([]);
	});

	it.each<[string, Readonly<Record<string, Answering>>, Planned, string]>([
		[
			'credentials that AWS does not accept',
			{ [IDENTITY]: queryError('InvalidClientTokenId', 'no') },
			{},
			'failed credentials: AWS does not accept them. Sign in',
		],
		[
			'no bootstrap',
			{ [BOOTSTRAP]: error('ParameterNotFound') },
			{},
			'failed bootstrap: none in this account and region. Run npm run bootstrap',
		],
		[
			'an old bootstrap',
			{ [BOOTSTRAP]: ok({ Parameter: { Value: '5' } }) },
			{},
			'failed bootstrap: version 5. Run npm run bootstrap',
		],
		[
			'a permission that is missing',
			{ [BOOTSTRAP]: denied },
			{},
			'warning bootstrap: not asked: your credentials lack ssm:GetParameter',
		],
		['a permission of Lambda that is missing', { [LAMBDA]: deniedRest }, {}, 'warning Lambda concurrency: not asked'],
		[
			'a quota of 10',
			{ [LAMBDA]: ok({ AccountLimit: { ConcurrentExecutions: 10 } }) },
			{},
			'warning Lambda concurrency: 10: it deploys',
		],
		[
			'a quota too small for the reservation',
			{ [LAMBDA]: ok({ AccountLimit: { ConcurrentExecutions: 200 } }) },
			{ callConcurrency: 50 },
			'failed Lambda concurrency: 200, and callConcurrency needs 357. Request 1000',
		],
		...[String(STORED_FORM + 1), '0', 'x'].map(
			(form): [string, Readonly<Record<string, Answering>>, Planned, string] => [
				`records of form ${form}`,
				{ [TAGS]: ok({ Tags: [{ Key: STORED_FORM_TAG, Value: form }] }) },
				{ stackName: 'CallBack' },
				`failed stored records: the table of CallBack holds records of form ${form}, and this release reads form ${STORED_FORM}. Deploy`,
			],
		),
		[
			'tables that the credentials may not list',
			{ [TABLES]: denied },
			{ stackName: 'CallBack' },
			'warning stored records: not asked: your credentials lack dynamodb:ListTables',
		],
		[
			'an account without a distribution',
			{ [CLOUDFRONT]: ok('<DistributionList><Quantity>0</Quantity></DistributionList>') },
			{},
			'warning CloudFront: no distribution yet',
		],
		[
			'a sender that SES does not know',
			{ 'GET /v2/email/identities/shop.example': unknown },
			{ mailSender: 'team@shop.example' },
			'failed mail from shop.example: not verified. Verify mailSender',
		],
		[
			'the sandbox of SES',
			{ 'GET /v2/email/account': ok({ ProductionAccessEnabled: false }) },
			{ mailSender: 'team@shop.example' },
			'warning mail sandbox: SES sends to verified addresses only',
		],
		[
			'a secret that does not exist',
			{ [SECRET]: error('ResourceNotFoundException') },
			TWILIO,
			'failed provider’s secret: telephony.secret must be the ARN of a secret in this region',
		],
		[
			'a secret without a token',
			{ [SECRET]: ok({ SecretString: '{}' }) },
			TWILIO,
			'failed twilio: secret: missing or malformed auth_token',
		],
		[
			'a provider’s account that cannot call',
			{ [COUNTRY]: ok({ low_risk_numbers_enabled: false }) },
			TWILIO,
			'failed calls to US: not allowed. Allow its low-risk numbers',
		],
		[
			'an answer of AWS that settles nothing',
			{ [BOOTSTRAP]: error('Surprise') },
			{},
			'warning bootstrap: not clear: AWS answered Surprise. Try again',
		],
		[
			'credentials that AWS does not judge',
			{ [IDENTITY]: queryError('Surprise', 'no') },
			{},
			'warning credentials: not clear: AWS answered Surprise',
		],
		[
			'a sender that SES does not show',
			{ 'GET /v2/email/identities/shop.example': deniedRest },
			{ mailSender: 'team@shop.example' },
			'warning mail from shop.example: not asked: your credentials lack ses:GetEmailIdentity',
		],
		[
			'DKIM records that SES has not found',
			{ 'GET /v2/email/identities/shop.example': identity({}, { Status: 'PENDING' }) },
			{ mailSender: 'team@shop.example' },
			'warning mail signature: DKIM: PENDING. Mail may end as spam',
		],
		[
			'DKIM that is switched off',
			{ 'GET /v2/email/identities/shop.example': identity({}, { SigningEnabled: false }) },
			{ mailSender: 'team@shop.example' },
			'warning mail signature: DKIM: switched off',
		],
	])('says in one line what to do about %s', async (_, changes, planned, line) => {
		expect(await lines(changes, planned)).toEqual([expect.stringContaining(line)]);
	});

	it('lets a healthy sub-account of Twilio pass, and warns that the parent’s permissions count', async () => {
		expect(await lines({}, TWILIO, 'twilio sub')).toEqual([
			expect.stringMatching(/^warning calls to US: not seen: the permissions of the parent account apply/),
		]);
	});

	it('counts the sender as verified and signed if its parent domain is', async () => {
		const sender = { mailSender: 'team@eu.calls.shop.example' };
		expect(await lines({}, sender)).toEqual([]);
		const unsigned = identity({}, { Status: 'NOT_STARTED' });
		expect(await lines({ 'GET /v2/email/identities/team%40eu.calls.shop.example': unsigned }, sender)).toEqual([]);
		const unverified = identity({ VerifiedForSendingStatus: false });
		expect(await lines({ 'GET /v2/email/identities/shop.example': unverified }, sender)).toEqual([
			expect.stringContaining('failed mail from eu.calls.shop.example: not verified'),
		]);
	});

	it('compares the region of the certificate with that of the deployment', async () => {
		const certificate = 'arn:aws:acm:eu-west-1:111122223333:certificate/one';
		expect(await lines({}, { certificate })).toEqual([
			'failed certificate: in eu-west-1, and the deployment is in us-east-1. Request one for domainName in us-east-1.',
		]);
		expect(await lines({}, { certificate: certificate.replace('eu-west-1', 'us-east-1') })).toEqual([]);
	});

	it('asks nothing more if the credentials are for another account than the app’s', async () => {
		const refused = 'of account 111122223333, and the app deploys to 444455556666. Choose a profile.';
		expect(await lines({}, {}, 'twilio full', { account: '444455556666' })).toEqual([`failed credentials: ${refused}`]);
		expect(await lines({}, {}, 'twilio full', { account: '111122223333' })).toEqual([]);
	});

	it('names each property whose value only the deployment knows', async () => {
		expect(await lines({}, {}, 'twilio full', { open: ['mailSender'] })).toEqual([
			'warning mailSender: not asked: only the deployment knows its value. Check it by hand.',
		]);
	});

	it('requires the bootstrap version that the app requires, under the app’s qualifier', async () => {
		const old = { [BOOTSTRAP]: ok({ Parameter: { Value: '20' } }) };
		const bootstrap = { version: 21, parameter: '/cdk-bootstrap/shop/version' };
		expect(await lines(old, {}, 'twilio full', { bootstrap })).toEqual([
			'failed bootstrap: version 20. Run npm run bootstrap, once for each account and region.',
		]);
	});

	it('asks for a region first', async () => {
		delete process.env['AWS_REGION'];
		expect(await lines({}, {})).toEqual(['failed region: none. Set AWS_REGION, or a region in your profile.']);
	});
});
