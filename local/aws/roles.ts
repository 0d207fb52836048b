import * as z from 'zod/mini';
import type { NamedResource } from '../template.ts';

// Decides as IAM would whether a role may make a request: compares the request with the policies that the template gives to the
// role.

/**
 * One action of a request. `leading_keys` are the values of `dynamodb:LeadingKeys`. `leading_keys` is empty if IAM does not
 * set this key. `sender` is the value of `ses:FromAddress`.
 */
export type AwsAction = {
	readonly action: string;
	readonly resource: string;
	readonly leading_keys: readonly string[];
	readonly sender?: string;
};

const OneOrMore = z.union([z.string(), z.array(z.string())]);
const Statement = z.object({
	Effect: z.enum(['Allow', 'Deny']),
	Action: OneOrMore,
	Resource: OneOrMore,
	Condition: z.optional(z.record(z.string(), z.record(z.string(), OneOrMore))),
});
type Statement = z.infer<typeof Statement>;
export type Role = { readonly name: string; readonly statements: readonly Statement[] };

const list = (value: string | readonly string[]): readonly string[] => (typeof value === 'string' ? [value] : value);

/**
 * The patterns of the template's roles as regular expressions. The expressions are cached, because every request needs
 * them.
 */
const expressions = new Map<string, RegExp>();

/** Whether a text matches a pattern with IAM's wildcards: `*` for anything, `?` for one character. */
function like(pattern: string, text: string): boolean {
	let expression = expressions.get(pattern);
	if (expression === undefined) {
		const patternSource = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
		expression = new RegExp(`^${patternSource.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
		expressions.set(pattern, expression);
	}
	return expression.test(text);
}

function holds(condition: NonNullable<Statement['Condition']>, act: AwsAction): boolean {
	return Object.entries(condition).every(([operator, tests]) =>
		Object.entries(tests).every(([key, allowedValues]) => {
			if (key === 'ses:FromAddress')
				return operator === 'StringEquals' && list(allowedValues).includes(act.sender ?? '');
			if (key !== 'dynamodb:LeadingKeys') return false;
			return holdsForKeys(operator, list(allowedValues), act.leading_keys);
		}),
	);
}

/**
 * Whether the keys of a request meet a condition. If there are no keys, `ForAllValues` is true and `ForAnyValue` is false
 * (IAM, "Set operators for multivalued context keys").
 */
function holdsForKeys(operator: string, patterns: readonly string[], keys: readonly string[]): boolean {
	const matches = (key: string): boolean => patterns.some((pattern) => like(pattern, key));
	switch (operator) {
		case 'ForAllValues:StringLike':
			return keys.every(matches);
		case 'ForAnyValue:StringLike':
			return keys.some(matches);
		case 'ForAllValues:StringEquals':
			return keys.every((key) => patterns.includes(key));
		case 'Null':
			return patterns.includes(String(keys.length === 0));
		default:
			return false;
	}
}

function isAbout({ Action, Resource }: Statement, { action, resource }: AwsAction): boolean {
	const isAction = list(Action).some((pattern) => like(pattern.toLowerCase(), action.toLowerCase()));
	return isAction && list(Resource).some((pattern) => like(pattern, resource));
}

/**
 * Whether a role allows the action: at least one statement allows it, and none denies it (IAM, "Policy evaluation logic").
 */
export function isAllowed(role: Role, act: AwsAction): boolean {
	const applying = role.statements.filter(
		(each) => isAbout(each, act) && (each.Condition === undefined || holds(each.Condition, act)),
	);
	return applying.some(({ Effect }) => Effect === 'Allow') && !applying.some(({ Effect }) => Effect === 'Deny');
}

const RECEIVING = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];

/** The permission that a role lacks to poll a queue as an event source. Null if the role lacks none. */
export function lacksToReceive(role: Role, queueArn: string): string | null {
	const actions = RECEIVING.map((operation) => `sqs:${operation}`);
	return actions.find((action) => !isAllowed(role, { action, resource: queueArn, leading_keys: [] })) ?? null;
}

const Policies = z.array(z.object({ PolicyDocument: z.object({ Statement: z.array(Statement) }) }));

/** A role with its inline policies. The stack uses no other kind of policies. */
export function roleOf({ id, properties }: NamedResource): Role {
	const policies = Policies.parse(properties['Policies'] ?? []);
	return { name: id, statements: policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) };
}

type Json = Readonly<Record<string, unknown>>;

function isJson(value: unknown): value is Json {
	return typeof value === 'object' && value !== null;
}
const part = (value: unknown, name: string): unknown => (isJson(value) ? value[name] : undefined);
const parts = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const MEMBERS = {
	Put: 'PutItem',
	Update: 'UpdateItem',
	Delete: 'DeleteItem',
	ConditionCheck: 'ConditionCheckItem',
} as const;

function stringOf(attribute: unknown): string {
	return String(part(attribute, 'S') ?? '');
}

/**
 * How IAM may set `dynamodb:LeadingKeys` when it checks one member (one put, update, delete or condition check) of a
 * transaction. IAM's documentation does not say which of three values it uses: the member's own key (`member`), the keys of all
 * members (`joined`), or none (`absent`). Each of them is a reading of the documentation. The service's roles have to allow a
 * transaction under each reading.
 */
export const keyReadings = ['member', 'joined', 'absent'] as const;
export type PolicyReading = (typeof keyReadings)[number];
/**
 * The readings under which a request is checked. For a transaction, these are all three readings. For every other operation,
 * AWS documents the value of `dynamodb:LeadingKeys`: the request's own keys. So only `member` is checked.
 */
export const readingsOf = (operation: string): readonly PolicyReading[] =>
	operation === 'TransactWriteItems' ? keyReadings : ['member'];

/**
 * The actions that a role needs for a DynamoDB request, if IAM sets `dynamodb:LeadingKeys` as `reading` says (see
 * `keyReadings`). A transaction has an action for each of its members. IAM allows the transaction only if it allows all these
 * actions.
 */
export function dynamoActs(
	operation: string,
	input: Json,
	tableArn: (name: string) => string,
	reading: PolicyReading = 'member',
): readonly AwsAction[] {
	const acts = memberActs(operation, input, tableArn);
	if (reading === 'member') return acts;
	const leading_keys = reading === 'joined' ? [...new Set(acts.flatMap((act) => act.leading_keys))] : [];
	// All members now have the same `leading_keys`, so members with the same action and the same table are one action.
	const alike = new Map(acts.map((act) => [`${act.action} ${act.resource}`, { ...act, leading_keys }]));
	return [...alike.values()];
}

function memberActs(operation: string, input: Json, tableArn: (name: string) => string): readonly AwsAction[] {
	const act = (action: string, request: unknown, keys: readonly string[]): AwsAction => {
		const arn = tableArn(String(part(request, 'TableName')));
		const index = part(request, 'IndexName');
		const resource = index === undefined ? arn : `${arn}/index/${String(index)}`;
		return { action: `dynamodb:${action}`, resource, leading_keys: keys };
	};
	const keyOf = (request: unknown): string => stringOf(part(part(request, 'Item') ?? part(request, 'Key'), 'pk'));
	switch (operation) {
		case 'TransactWriteItems': {
			return parts(input['TransactItems']).flatMap((item) =>
				Object.entries(MEMBERS).flatMap(([member, action]) => {
					const request = part(item, member);
					return request === undefined ? [] : [act(action, request, [keyOf(request)])];
				}),
			);
		}
		case 'BatchGetItem': {
			const requestItems = input['RequestItems'];
			return Object.entries(isJson(requestItems) ? requestItems : {}).map(([TableName, request]) => {
				const keys = parts(part(request, 'Keys')).map((key) => stringOf(part(key, 'pk')));
				return act('BatchGetItem', { TableName }, keys);
			});
		}
		case 'Query':
			return [act('Query', input, [partitionOf(input)])];
		default:
			return [act(operation, input, [keyOf(input)])];
	}
}

/** The partition of a query, which is the value after the first `=` in its key condition. */
function partitionOf(input: Json): string {
	const placeholder = /=\s*(:\w+)/.exec(String(input['KeyConditionExpression']))?.[1] ?? '';
	return stringOf(part(input['ExpressionAttributeValues'], placeholder));
}
