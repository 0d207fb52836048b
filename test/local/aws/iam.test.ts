import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { type AwsAction, isAllowed, type Role } from '../../../local/aws/roles.ts';
import type { Stack } from '../../../local/stack.ts';
import { ACCOUNT, REGION, resolver, resourcesOf, type Template } from '../../../local/template.ts';
import { testStack } from '../../support/stack/stack.ts';
import { tour } from './tour.ts';

// Checks every request that the use cases send to AWS, and similar requests that they do not send. Each must be allowed or
// denied as IAM would allow or deny it.

type Asked = { readonly role: Role; readonly act: AwsAction };

let stack: Stack;
let template: Template;
const asked = new Map<string, Asked>();

/**
 * The kind of a request. In its keys, the part after the first `#` is an id, so requests that differ only there are of the same
 * kind.
 */
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

const Principal = z.union([z.string(), z.object({ AWS: z.string() })]);
const ResourceStatement = z.object({
	Effect: z.enum(['Allow', 'Deny']),
	Principal,
	Action: z.union([z.string(), z.array(z.string())]),
	Resource: z.unknown(),
	Condition: z.optional(z.unknown()),
});
const ResourcePolicy = z.object({ Statement: z.array(ResourceStatement) });

/** The policies of keys and queues, by ARN. IAM evaluates them together with the role's policies. */
function resourcePolicies(): ReadonlyMap<string, z.infer<typeof ResourcePolicy>> {
	const resolve = resolver(template, {
		queueUrl: (name) => name,
		publicKey: () => '',
		apiUrl: '',
	});
	const keys = resourcesOf(template, 'AWS::KMS::Key', resolve).map(
		({ id, properties }) =>
			[`arn:aws:kms:${REGION}:${ACCOUNT}:key/${id}`, ResourcePolicy.parse(properties['KeyPolicy'])] as const,
	);
	const Queues = z.object({ Queues: z.array(z.string()), PolicyDocument: ResourcePolicy });
	const queues = resourcesOf(template, 'AWS::SQS::QueuePolicy', resolve).flatMap(({ properties }) => {
		const { Queues: names, PolicyDocument } = Queues.parse(properties);
		return names.map((name) => [`arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`, PolicyDocument] as const);
	});
	return new Map([...keys, ...queues]);
}

/** Requests that differ from a recorded request in one thing: the resource, one more leading key, or the sender. */
function mutants({ role, act }: Asked): readonly Asked[] {
	const [service] = act.action.split(':');
	const other = { ...act, resource: act.resource.replace(/(?<=[:/])[^:/]+(?=$|\/index)/, 'Another') };
	const more: AwsAction[] = service === 'ses' ? [] : [other];
	if (act.leading_keys.length > 0) more.push({ ...act, leading_keys: [...act.leading_keys, 'SOMETHING_ELSE#1'] });
	if (act.sender !== undefined) more.push({ ...act, sender: 'another@elsewhere.example' });
	return more.map((mutant) => ({ role, act: mutant }));
}

describe('the recorded requests', () => {
	it('include requests with several leading keys: transactions that put, delete and update, and batch reads', () => {
		const joined = [...asked.values()].filter(({ act }) => act.leading_keys.length > 1 && act.action.endsWith('Item'));
		expect(new Set(joined.map(({ act }) => act.action))).toEqual(
			new Set(['dynamodb:PutItem', 'dynamodb:DeleteItem', 'dynamodb:UpdateItem', 'dynamodb:BatchGetItem']),
		);
	});

	it('include at least one request from the role of every function that may call DynamoDB or SQS', () => {
		const working = resourcesOf(template, 'AWS::IAM::Role', (value) => value)
			.filter(({ id, properties }) => /"(dynamodb|sqs):/.test(JSON.stringify(properties)) && !/^(Keys|Widget)/.test(id))
			.map(({ id }) => id);
		expect([...new Set([...asked.values()].map(({ role }) => role.name))].sort()).toEqual(working.sort());
		expect(asked.size).toBeGreaterThan(200);
	});

	it('are allowed by the roles that made them, for every choice of leading keys in a transaction', () => {
		for (const one of asked.values()) {
			expect([one.role.name, one.act, isAllowed(one.role, one.act)]).toEqual([one.role.name, one.act, true]);
		}
	});

	it('are allowed by the policies of the KMS keys, which name only the account, and so leave the decision to its roles', () => {
		const policies = resourcePolicies();
		const keys = new Set([...asked.values()].map(({ act }) => act.resource).filter((arn) => arn.includes(':kms:')));
		expect(keys.size).toBeGreaterThan(2);
		for (const key of keys) {
			const statements = policies.get(key)?.Statement ?? [];
			const byRoles = { Effect: 'Allow', Principal: { AWS: expect.stringMatching(/:root$/) }, Action: 'kms:*' };
			expect([key, statements]).toEqual([key, [expect.objectContaining(byRoles)]]);
			expect(statements[0]?.Condition).toBeUndefined();
		}
	});

	it('are allowed by the policies of their queues, which only deny requests without TLS', () => {
		const policies = resourcePolicies();
		const queues = new Set([...asked.values()].map(({ act }) => act.resource).filter((arn) => arn.includes(':sqs:')));
		expect(queues.size).toBeGreaterThan(3);
		for (const queue of queues) {
			const insecure = { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } };
			expect([queue, policies.get(queue)?.Statement]).toEqual([queue, [expect.objectContaining(insecure)]]);
		}
	});

	it('are the only requests that the roles allow: every mutated request is denied', () => {
		const all = [...asked.values()].flatMap(mutants);
		expect(all.length).toBeGreaterThan(asked.size);
		for (const mutant of all) {
			expect([mutant.role.name, mutant.act, isAllowed(mutant.role, mutant.act)]).toContain(false);
		}
	});
});
