import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { type AwsAction, isAllowed, type Role } from '../../../local/aws/roles.ts';
import type { Stack } from '../../../local/stack.ts';
import { ACCOUNT, REGION, resolver, resourcesOf, type Template } from '../../../local/template.ts';
import { installTools } from '../../../tools/install.ts';
import { testStack } from '../../support/stack/stack.ts';
import { tour } from './tour.ts';

// Passes every use case's requests to AWS through an independent IAM evaluator: a second opinion on local/aws/roles.ts,
// which decides on the same requests while the tests run.

const Simulator = z.object({ runSimulation: z.custom<(request: object, options: object) => Promise<unknown>>() });
const Opinion = z.object({
	resultType: z.string(),
	overallResult: z.optional(z.string()),
	errors: z.optional(z.unknown()),
});
/** The evaluator has a folder of its own, because its licence is the AGPL; null if it cannot be had. */
async function loadSimulator(): Promise<z.infer<typeof Simulator>['runSimulation'] | null> {
	if (!installTools('iam-simulator')) {
		process.stderr.write('skipped\n');
		return null;
	}
	const { resolve } = createRequire(join(process.cwd(), 'tools/iam-simulator/package.json'));
	return Simulator.parse(await import(pathToFileURL(resolve('@cloud-copilot/iam-simulate')).href)).runSimulation;
}
const runSimulation = await loadSimulator();

type Asked = { readonly role: Role; readonly act: AwsAction };

let stack: Stack;
let template: Template;
const asked = new Map<string, Asked>();

/** Keeps one request of each kind: the part after the first `#` of a key is some id. */
function kindOf(role: Role, { leading_keys, ...act }: AwsAction): string {
	const prefixes = leading_keys.map((key) => key.replace(/#.*/s, '#'));
	return JSON.stringify([role.name, act, [...new Set(prefixes)].sort()]);
}

beforeAll(async () => {
	stack = await testStack(
		{},
		{
			alter: (synthesised) => {
				template = synthesised;
				return synthesised;
			},
			onAct: (role, act) => void asked.set(kindOf(role, act), { role, act }),
		},
	);
	await tour(stack, (role) => [...asked.values()].some((one) => one.role.name.includes(role)));
});
afterAll(() => stack.stop());

/** The policies of keys and queues, which IAM also evaluates. */
function resourcePolicies(): ReadonlyMap<string, unknown> {
	const resolve = resolver(template, {
		queueUrl: (name) => name,
		publicKey: () => '',
		apiUrl: '',
	});
	const keys = resourcesOf(template, 'AWS::KMS::Key', resolve).map(
		({ id, properties }) => [`arn:aws:kms:${REGION}:${ACCOUNT}:key/${id}`, properties['KeyPolicy']] as const,
	);
	const queues = resourcesOf(template, 'AWS::SQS::QueuePolicy', resolve).flatMap(({ properties }) =>
		(properties['Queues'] as string[]).map(
			(queue) => [`arn:aws:sqs:${REGION}:${ACCOUNT}:${queue}`, properties['PolicyDocument']] as const,
		),
	);
	return new Map([...keys, ...queues]);
}

async function secondOpinion({ role, act }: Asked): Promise<unknown> {
	if (runSimulation === null) return 'skipped';
	const resourcePolicy = resourcePolicies().get(act.resource);
	const given = await runSimulation(
		{
			request: {
				principal: `arn:aws:sts::${ACCOUNT}:assumed-role/${role.name}/session`,
				action: act.action,
				resource: { resource: act.resource, accountId: ACCOUNT },
				contextVariables: {
					'aws:SecureTransport': 'true',
					...(act.leading_keys.length > 0 && { 'dynamodb:LeadingKeys': [...act.leading_keys] }),
					...(act.sender !== undefined && { 'ses:FromAddress': act.sender }),
				},
			},
			identityPolicies: [{ name: 'access', policy: { Version: '2012-10-17', Statement: role.statements } }],
			serviceControlPolicies: [],
			resourceControlPolicies: [],
			...(resourcePolicy !== undefined && { resourcePolicy }),
		},
		{},
	);
	const { resultType, errors, overallResult } = Opinion.parse(given);
	return resultType === 'error' ? errors : overallResult;
}

/** What the evaluator has to say, if it can be had. */
const said = (opinion: string): string => (runSimulation === null ? 'skipped' : opinion);

/** Mutates each action: another record's key, another sender, another resource, another action. */
function mutants({ role, act }: Asked): readonly Asked[] {
	const [service] = act.action.split(':');
	const other = { ...act, resource: act.resource.replace(/(?<=[:/])[^:/]+(?=$|\/index)/, 'Another') };
	const more: AwsAction[] = service === 'ses' ? [] : [other];
	if (act.leading_keys.length > 0) more.push({ ...act, leading_keys: [...act.leading_keys, 'SOMETHING_ELSE#1'] });
	if (act.sender !== undefined) more.push({ ...act, sender: 'another@elsewhere.example' });
	return more.map((mutant) => ({ role, act: mutant }));
}

describe('every use case', () => {
	it('writes several records in one transaction, so that the possible leading keys differ', () => {
		const joined = [...asked.values()].filter(({ act }) => act.leading_keys.length > 1 && act.action.endsWith('Item'));
		expect(new Set(joined.map(({ act }) => act.action))).toEqual(
			new Set(['dynamodb:PutItem', 'dynamodb:DeleteItem', 'dynamodb:UpdateItem', 'dynamodb:BatchGetItem']),
		);
	});

	it('has run: each role of a function that calls AWS has made a request', () => {
		const working = resourcesOf(template, 'AWS::IAM::Role', (value) => value)
			.filter(({ id, properties }) => /"(dynamodb|sqs):/.test(JSON.stringify(properties)) && !/^(Keys|Widget)/.test(id))
			.map(({ id }) => id);
		expect([...new Set([...asked.values()].map(({ role }) => role.name))].sort()).toEqual(working.sort());
		expect(asked.size).toBeGreaterThan(200);
	});

	it('is also allowed by an independent IAM evaluator, for every choice of leading keys in a transaction', async () => {
		for (const one of asked.values()) {
			expect([one.role.name, one.act, isAllowed(one.role, one.act)]).toEqual([one.role.name, one.act, true]);
			expect([one.role.name, one.act, await secondOpinion(one)]).toEqual([one.role.name, one.act, said('Allowed')]);
		}
	});

	it('is allowed nothing else by either evaluator', async () => {
		const all = [...asked.values()].flatMap(mutants);
		expect(all.length).toBeGreaterThan(asked.size);
		for (const mutant of all) {
			expect([mutant.role.name, mutant.act, isAllowed(mutant.role, mutant.act)]).toContain(false);
			expect([mutant.act, await secondOpinion(mutant)]).toEqual([mutant.act, said('ImplicitlyDenied')]);
		}
	});
});
