import { describe, expect, it } from '@jest/globals';
import { type Resource, type Template, withVariables } from '../../../local/template.ts';
import { isFormer, mixed } from '../../lab/upgrade/mix.ts';
import { takenAway } from '../../upgrade/templates.ts';

const functionOf = (code: string, role: string, memory = 128): Resource => ({
	Type: 'AWS::Lambda::Function',
	Properties: { MemorySize: memory, Role: role, Environment: { Variables: { BASE: 'of the template' } } },
	Metadata: { 'aws:asset:path': `asset.${code}` },
});
const NAMES = Array.from({ length: 20 }, (_, n) => `Function${n}`);
const templateOf = (code: string, memory: number): Template => ({
	Resources: Object.fromEntries(NAMES.map((name) => [name, functionOf(code, `${code} role`, memory)])),
});
const former = { template: templateOf('former', 128), assets: '/old/cdk.out' };
const now = { template: templateOf('now', 256), assets: '/state/cdk.out' };

describe('a template half-way through a deployment', () => {
	it('has functions of both releases, and the seed alone chooses them', () => {
		const seeds = [1, 2, 3].map((seed) => NAMES.filter((name) => isFormer(seed, name)));
		for (const chosen of seeds) expect([chosen.length > 3, chosen.length < 17]).toEqual([true, true]);
		expect(new Set(seeds.map(String)).size).toBe(3);
		expect(mixed(now, former, 1)).toEqual(mixed(now, former, 1));
	});

	it('gives a function of the previous release the code and settings of that release, but today’s role', () => {
		const { Resources } = mixed(now, former, 1);
		for (const name of NAMES) {
			const { Properties, Metadata } = Resources[name] ?? {};
			const path = Metadata?.['aws:asset:path'];
			const expected = isFormer(1, name) ? [128, '../../old/cdk.out/asset.former'] : [256, 'asset.now'];
			expect([Properties?.['MemorySize'], path, Properties?.['Role']]).toEqual([...expected, 'now role']);
		}
	});

	it('gets the addresses of this machine for the functions of both releases', () => {
		const { Resources } = withVariables(mixed(now, former, 1), { BASE: 'http://localhost:3000' });
		for (const name of NAMES)
			expect(Resources[name]?.Properties?.['Environment']).toEqual({ Variables: { BASE: 'http://localhost:3000' } });
	});

	it('has no function that today’s template lacks, and has a function that the previous template lacked', () => {
		const added = { ...now.template.Resources, New: functionOf('now', 'now role') };
		const gone = { ...former.template.Resources, Gone: functionOf('former', 'former role') };
		for (const seed of [1, 2, 3]) {
			const { Resources } = mixed(
				{ ...now, template: { Resources: added } },
				{ ...former, template: { Resources: gone } },
				seed,
			);
			expect([Resources['Gone'], Resources['New']]).toEqual([undefined, added.New]);
		}
	});
});

const index = (IndexName: string, key = 'id') => ({ IndexName, KeySchema: [{ AttributeName: key, KeyType: 'HASH' }] });
const table = (changes: object = {}): Template => ({
	Resources: {
		Table: {
			Type: 'AWS::DynamoDB::Table',
			Properties: { KeySchema: [{ AttributeName: 'pk' }], GlobalSecondaryIndexes: [index('a')], ...changes },
		},
		Queue: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 60 } },
		Role: { Type: 'AWS::IAM::Role' },
	},
	Outputs: { Address: { Value: 'x' } },
});
const without = ({ Resources, ...rest }: Template, name: string): Template => ({
	...rest,
	Resources: Object.fromEntries(Object.entries(Resources).filter(([id]) => id !== name)),
});

describe('a deployment takes away', () => {
	it.each<[string, Template, readonly string[]]>([
		['nothing with the same template', table(), []],
		['nothing, even if a role is gone', without(table(), 'Role'), []],
		[
			'nothing, even if the settings of a queue change',
			{ ...table(), Resources: { ...table().Resources, Queue: { Type: 'AWS::SQS::Queue' } } },
			[],
		],
		['nothing, even if one index is new', table({ GlobalSecondaryIndexes: [index('a'), index('b')] }), []],
		[
			'a queue',
			without(table(), 'Queue'),
			['Queue (AWS::SQS::Queue) is gone: its place in the stack or its type changed'],
		],
		[
			'a table with other keys',
			table({ KeySchema: [{ AttributeName: 'id' }] }),
			['Table (AWS::DynamoDB::Table) is replaced: another KeySchema'],
		],
		[
			'a table with a new name',
			table({ TableName: 'calls' }),
			['Table (AWS::DynamoDB::Table) is replaced: another TableName'],
		],
		['an index with another key', table({ GlobalSecondaryIndexes: [index('a', 'x')] }), ['Table: the index a is gone']],
		[
			'two new indexes at once',
			table({ GlobalSecondaryIndexes: [index('a'), index('b'), index('c')] }),
			['Table: 2 new indexes; one deployment can add one'],
		],
		['an output', { Resources: table().Resources }, ['the output Address is gone']],
	])('%s', (_, later, expected) => {
		expect(takenAway(table(), later)).toEqual(expected);
	});
});
