import { describe, expect, it } from '@jest/globals';
import {
	dynamoActs,
	isAllowed,
	keyReadings,
	lacksToReceive,
	type PolicyReading,
	readingsOf,
	roleOf,
} from '../../../local/aws/roles.ts';

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/Data';
const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:Work';
const role = (...statements: readonly object[]) => {
	const Policies = [
		{ PolicyDocument: { Statement: statements.map((statement) => ({ Effect: 'Allow', ...statement })) } },
	];
	return roleOf({ id: 'Role', properties: { Policies }, metadata: {} });
};
const leading = (...keys: string[]) => ({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } });
const acts = (operation: string, input: object) =>
	dynamoActs(operation, { ...input }, (name) => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`);
const may = (held: ReturnType<typeof role>, operation: string, input: object) =>
	acts(operation, input).every((act) => isAllowed(held, act));
const Key = (pk: string) => ({ pk: { S: pk }, sk: { S: '#' } });

describe('a role', () => {
	const readsCalls = role({ Action: 'dynamodb:GetItem', Resource: TABLE, Condition: leading('CALL#*') });

	it('allows only what a statement names', () => {
		expect(may(readsCalls, 'GetItem', { TableName: 'Data', Key: Key('CALL#1') })).toBe(true);
		expect(may(readsCalls, 'GetItem', { TableName: 'Data', Key: Key('LEAD#1') })).toBe(false);
		expect(may(readsCalls, 'GetItem', { TableName: 'Other', Key: Key('CALL#1') })).toBe(false);
		expect(may(readsCalls, 'PutItem', { TableName: 'Data', Item: Key('CALL#1') })).toBe(false);
		expect(may(readsCalls, 'Scan', { TableName: 'Data' })).toBe(false);
	});

	it('is checked for each write of a transaction and each key of a batch', () => {
		const writes = role({ Action: ['dynamodb:PutItem'], Resource: [TABLE], Condition: leading('CALL#*', 'EVENT#*') });
		const put = (pk: string) => ({ Put: { TableName: 'Data', Item: Key(pk) } });
		const transact = (...TransactItems: object[]) => may(writes, 'TransactWriteItems', { TransactItems });
		expect(transact(put('CALL#1'), put('EVENT#1'))).toBe(true);
		expect(transact(put('CALL#1'), put('LEAD#1'))).toBe(false);
		expect(transact(put('CALL#1'), { Delete: { TableName: 'Data', Key: Key('CALL#1') } })).toBe(false);
		const check = { TableName: 'Data', Key: Key('CALL#1'), ConditionExpression: 'attribute_exists(pk)' };
		expect(transact({ ConditionCheck: check })).toBe(false);
		const batch = role({ Action: 'dynamodb:BatchGetItem', Resource: TABLE, Condition: leading('CALL#*') });
		const get = (...keys: string[]) => may(batch, 'BatchGetItem', { RequestItems: { Data: { Keys: keys.map(Key) } } });
		expect([get('CALL#1', 'CALL#2'), get('CALL#1', 'LEAD#1')]).toEqual([true, false]);
	});

	it('is checked for each possible set of leading keys: the write’s own, the whole transaction’s, or none', () => {
		const put = { Put: { TableName: 'Data', Item: Key('CALL#1') } };
		const count = { Update: { TableName: 'Data', Key: Key('COUNTER#1') } };
		const both = { TransactItems: [put, count] };
		const table = (name: string) => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;
		const keysUnder = (reading: PolicyReading) =>
			dynamoActs('TransactWriteItems', both, table, reading).map(({ action, leading_keys }) => [action, leading_keys]);
		expect(keysUnder('member')).toEqual([
			['dynamodb:PutItem', ['CALL#1']],
			['dynamodb:UpdateItem', ['COUNTER#1']],
		]);
		expect(keysUnder('joined')).toEqual([
			['dynamodb:PutItem', ['CALL#1', 'COUNTER#1']],
			['dynamodb:UpdateItem', ['CALL#1', 'COUNTER#1']],
		]);
		expect(keysUnder('absent').map(([, keys]) => keys)).toEqual([[], []]);

		const mayUnder = (held: ReturnType<typeof role>) =>
			keyReadings.filter((reading) =>
				dynamoActs('TransactWriteItems', both, table, reading).every((act) => isAllowed(held, act)),
			);
		const one = (verb: string, ...conditions: object[]) =>
			conditions.map((Condition) => ({ Action: `dynamodb:${verb}`, Resource: TABLE, Condition }));
		const apart = role(...one('PutItem', leading('CALL#*')), ...one('UpdateItem', leading('COUNTER#*')));
		expect(mayUnder(apart)).toEqual(['member', 'absent']);
		const beside = (key: string) => ({
			...leading('CALL#*', 'COUNTER#*'),
			'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': [key] },
		});
		const unknown = { Null: { 'dynamodb:LeadingKeys': 'true' } };
		const keyed = role(...one('PutItem', beside('CALL#*')), ...one('UpdateItem', beside('COUNTER#*')));
		expect(mayUnder(keyed)).toEqual(['member', 'joined']);
		const whole = role(
			...one('PutItem', beside('CALL#*'), unknown),
			...one('UpdateItem', beside('COUNTER#*'), unknown),
		);
		expect(mayUnder(whole)).toEqual(['member', 'joined', 'absent']);
		expect(may(whole, 'PutItem', { TableName: 'Data', Item: Key('COUNTER#1') })).toBe(false);
		expect(may(whole, 'UpdateItem', { TableName: 'Data', Key: Key('CALL#1') })).toBe(false);
	});

	it('is checked once for all puts of a transaction that share their leading keys, and once for each put that has leading keys of its own; a request outside of a transaction has only its own key', () => {
		const puts = ['CALL#1', 'CALL#2', 'CALL#1'].map((pk) => ({ Put: { TableName: 'Data', Item: Key(pk) } }));
		const table = (name: string) => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;
		const keys = (reading: PolicyReading) =>
			dynamoActs('TransactWriteItems', { TransactItems: puts }, table, reading).map(({ leading_keys }) => leading_keys);
		expect(keys('member')).toEqual([['CALL#1'], ['CALL#2'], ['CALL#1']]);
		expect(keys('joined')).toEqual([['CALL#1', 'CALL#2']]);
		expect(keys('absent')).toEqual([[]]);
		expect([readingsOf('TransactWriteItems'), readingsOf('PutItem')]).toEqual([keyReadings, ['member']]);
	});

	it('is checked for an index separately from its table, by the queried partition', () => {
		const query = {
			TableName: 'Data',
			IndexName: 'lists',
			KeyConditionExpression: '#p = :list AND #s < :before',
			ExpressionAttributeValues: { ':before': { S: 'x' }, ':list': { S: 'W#1#CALLS' } },
		};
		const held = (Resource: string, key: string) =>
			may(role({ Action: 'dynamodb:Query', Resource, Condition: leading(key) }), 'Query', query);
		expect(held(`${TABLE}/index/lists`, 'W#*#CALLS')).toBe(true);
		expect(held(`${TABLE}/index/lists`, 'W#*#LEADS')).toBe(false);
		expect(held(TABLE, 'W#*#CALLS')).toBe(false);
	});

	it('denies what one statement denies even if another allows it; an unknown condition allows nothing', () => {
		const send = { action: 'sqs:SendMessage', resource: QUEUE, leading_keys: [] };
		const all = { Action: 'sqs:*', Resource: '*' };
		expect(isAllowed(role(all), send)).toBe(true);
		expect(isAllowed(role(all, { Effect: 'Deny', Action: 'sqs:SendMessage', Resource: QUEUE }), send)).toBe(false);
		const elsewhere = { StringEquals: { 'aws:SourceVpc': 'vpc-1' } };
		expect(isAllowed(role({ ...all, Condition: elsewhere }), send)).toBe(false);
	});

	it('needs three permissions for an event source', () => {
		const Action = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
		expect(lacksToReceive(role({ Action, Resource: QUEUE }), QUEUE)).toBeNull();
		expect(lacksToReceive(role({ Action: Action.slice(0, 1), Resource: QUEUE }), QUEUE)).toBe('sqs:DeleteMessage');
		expect(lacksToReceive(role({ Action, Resource: `${QUEUE}2` }), QUEUE)).toBe('sqs:ReceiveMessage');
	});
});
