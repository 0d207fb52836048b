import type { Named } from './template.ts';

// What IAM would say: a role's policies, as the template has them, held against each request.

/** One thing that a request does. `leading_keys`: the partition keys it touches (DynamoDB only). */
export type Act = { readonly action: string; readonly resource: string; readonly leading_keys: readonly string[] };

type Condition = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
type Statement = {
	readonly Effect: 'Allow' | 'Deny';
	readonly Action: string | readonly string[];
	readonly Resource: string | readonly string[];
	readonly Condition?: Condition;
};
export type Role = { readonly name: string; readonly statements: readonly Statement[] };

const list = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value]) as readonly T[];

/** IAM's wildcards: `*` for anything, `?` for one character. */
function like(pattern: string, text: string): boolean {
	const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
	return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(text);
}

function holds(condition: Condition, act: Act): boolean {
	return Object.entries(condition).every(([operator, tests]) =>
		Object.entries(tests).every(([key, allowed]) => {
			if (key !== 'dynamodb:LeadingKeys') return false;
			const patterns = list(allowed);
			if (operator === 'ForAllValues:StringLike') {
				return act.leading_keys.every((leading) => patterns.some((pattern) => like(pattern, leading)));
			}
			return (
				operator === 'ForAllValues:StringEquals' && act.leading_keys.every((leading) => patterns.includes(leading))
			);
		}),
	);
}

function applies(statement: Statement, act: Act): boolean {
	const actions = list(statement.Action).some((pattern) => like(pattern.toLowerCase(), act.action.toLowerCase()));
	const resources = list(statement.Resource).some((pattern) => like(pattern, act.resource));
	return actions && resources && (statement.Condition === undefined || holds(statement.Condition, act));
}

/** Whether a role may do it: some statement allows it and none denies it (IAM, "Policy evaluation logic"). */
export function isAllowed(role: Role, act: Act): boolean {
	const applying = role.statements.filter((statement) => applies(statement, act));
	return applying.some(({ Effect }) => Effect === 'Allow') && !applying.some(({ Effect }) => Effect === 'Deny');
}

type PolicyDocument = { readonly Statement: readonly Statement[] };

/** The role's inline policies, which are all that the stack uses. */
export function roleOf({ id, properties }: Named): Role {
	const policies = properties['Policies'] as readonly { readonly PolicyDocument: PolicyDocument }[] | undefined;
	return { name: id, statements: (policies ?? []).flatMap(({ PolicyDocument }) => PolicyDocument.Statement) };
}

type Json = Readonly<Record<string, unknown>>;
const part = (value: unknown, name: string): unknown =>
	typeof value === 'object' && value !== null ? (value as Json)[name] : undefined;

const MEMBERS = {
	Put: 'PutItem',
	Update: 'UpdateItem',
	Delete: 'DeleteItem',
	ConditionCheck: 'ConditionCheckItem',
} as const;

function stringOf(attribute: unknown): string {
	return String(part(attribute, 'S') ?? '');
}

/** What a DynamoDB request does. A transaction is judged by its members, as IAM does. */
export function dynamoActs(operation: string, input: Json, tableArn: (name: string) => string): readonly Act[] {
	const act = (action: string, request: unknown, keys: readonly string[]): Act => {
		const arn = tableArn(String(part(request, 'TableName')));
		const index = part(request, 'IndexName');
		const resource = index === undefined ? arn : `${arn}/index/${String(index)}`;
		return { action: `dynamodb:${action}`, resource, leading_keys: keys };
	};
	const keyOf = (request: unknown): string => stringOf(part(part(request, 'Item') ?? part(request, 'Key'), 'pk'));
	switch (operation) {
		case 'TransactWriteItems': {
			const items = input['TransactItems'] as readonly Json[];
			return items.flatMap((item) =>
				Object.entries(MEMBERS).flatMap(([member, action]) => {
					const request = item[member];
					return request === undefined ? [] : [act(action, request, [keyOf(request)])];
				}),
			);
		}
		case 'BatchGetItem': {
			const requests = Object.entries(input['RequestItems'] as Record<string, { readonly Keys: readonly Json[] }>);
			return requests.map(([TableName, { Keys }]) =>
				act(
					'BatchGetItem',
					{ TableName },
					Keys.map((key) => stringOf(key['pk'])),
				),
			);
		}
		case 'Query':
			return [act('Query', input, [partitionOf(input)])];
		default:
			return [act(operation, input, [keyOf(input)])];
	}
}

/** The partition that a query names: the value that its first `=` compares with. */
function partitionOf(input: Json): string {
	const placeholder = /=\s*(:\w+)/.exec(String(input['KeyConditionExpression']))?.[1] ?? '';
	return stringOf(part(input['ExpressionAttributeValues'], placeholder));
}
