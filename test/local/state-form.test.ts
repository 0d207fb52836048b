import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatchWriteItemCommand, CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startDynamo } from '../../local/aws/dynamodb.ts';
import { LOCAL_CLIENT } from '../../local/aws/stand-in.ts';
import { checkState, deleteState, markState } from '../../local/state-form.ts';
import { STORED_FORM } from '../../shared/domain/kernel/stored-form.ts';
import { refusal } from '../support/stack/refused-start.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import type { StoredItem } from '../upgrade/bench/bench.ts';
import { samplesOf } from '../upgrade/samples.ts';

const directories: string[] = [];
afterAll(() => {
	for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});
function newDirectory(): string {
	const directory = temporaryDirectory('state-form-');
	directories.push(directory);
	return directory;
}

/** DynamoDB's limit for one batch. */
const MOST_IN_A_BATCH = 25;

/** A state directory without a marker, as an earlier stack left it, with these items in its table. */
async function unmarked(items: readonly StoredItem[]): Promise<string> {
	const directory = newDirectory();
	for (const name of ['keys', 'queues', 'logs', 'pages']) mkdirSync(join(directory, name));
	writeFileSync(join(directory, 'operator.json'), '{}');
	const dynamo = await startDynamo(join(directory, 'dynamodb.db'));
	const client = new DynamoDBClient({ ...LOCAL_CLIENT, endpoint: dynamo.url });
	const keys = ['pk', 'sk'] as const;
	await client.send(
		new CreateTableCommand({
			TableName: 'DataTable',
			BillingMode: 'PAY_PER_REQUEST',
			AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
			KeySchema: keys.map((AttributeName, n) => ({ AttributeName, KeyType: n === 0 ? 'HASH' : 'RANGE' })),
		}),
	);
	if (items.length > 0) {
		const writes = items.map((Item) => ({ PutRequest: { Item: { ...Item } } }));
		for (let from = 0; from < writes.length; from += MOST_IN_A_BATCH) {
			const DataTable = writes.slice(from, from + MOST_IN_A_BATCH);
			await client.send(new BatchWriteItemCommand({ RequestItems: { DataTable } }));
		}
	}
	client.destroy();
	await dynamo.stop();
	return directory;
}
function marked(content: string): string {
	const directory = newDirectory();
	writeFileSync(join(directory, 'state.json'), content);
	return directory;
}
const withForm = (form: unknown): string => JSON.stringify({ service: 'call-back-widget-service', form });

const { state } = samplesOf('28086779');
const ofKinds = (...prefixes: readonly string[]) =>
	state.items.filter(({ pk }) => prefixes.some((prefix) => pk?.S?.startsWith(prefix)));
const shops = ofKinds('WORKSPACE#');
const links = ofKinds('DESK_LINK#');
const without = (item: StoredItem, name: string): StoredItem =>
	Object.fromEntries(Object.entries(item).filter(([each]) => each !== name));

describe('a state directory without state.json', () => {
	let candidate = '';
	beforeAll(async () => {
		candidate = await unmarked([...shops, ...links]);
	});

	it('is accepted if the first release candidate wrote it', () => {
		expect(shops.length * links.length).toBeGreaterThan(0);
		expect(() => checkState(candidate, false)).not.toThrow();
	});

	it('is accepted if npm run listen, long runs and tests have written to it, too', () => {
		writeFileSync(join(candidate, 'listen.json'), '{}');
		for (const name of ['upgrade', 'mutants', 'browsers', 'test-xfItf9']) mkdirSync(join(candidate, name));
		expect(() => checkState(candidate, false)).not.toThrow();
	});

	it('is accepted, and with --fresh keeps them, if only long runs have written to it', () => {
		const directory = newDirectory();
		mkdirSync(join(directory, 'mutants'));
		for (const fresh of [false, true]) expect(() => checkState(directory, fresh)).not.toThrow();
		writeFileSync(join(directory, 'listen.json'), '{}');
		deleteState(directory);
		expect(readdirSync(directory)).toEqual(['mutants']);
	});

	it('is accepted if its first start was killed', () => {
		const directory = newDirectory();
		for (const name of ['ca.pem', 'console.secret.new', 'phone-network.json']) writeFileSync(join(directory, name), '');
		mkdirSync(join(directory, 'logs'));
		expect(() => checkState(directory, false)).not.toThrow();
	});

	it.each([
		['a shop without a time zone', () => shops.map((shop) => without(shop, 'time_zone'))],
		[
			'members without ids',
			() => shops.map((shop) => ({ ...shop, team: { L: [{ M: { phone_masked: { S: '+1' } } }] } })),
		],
		['links that open any desk', () => [...shops, ...links.map((link) => without(link, 'invited_to'))]],
	])('is refused if an earlier commit wrote it: %s', async (_, items) => {
		expect(await refusal(await unmarked(items()))).toMatch(/^The records in .* were written before the first release/);
	});

	it('is refused if its table has records of another program', async () => {
		const directory = await unmarked([{ pk: { S: 'USER#1' }, sk: { S: 'USER' } }]);
		expect(await refusal(directory)).toMatch(/^The table in .* is of another stack/);
	});

	it('is refused if its table is cut off', async () => {
		const directory = await unmarked(shops);
		rmSync(join(directory, 'dynamodb.db-wal'), { force: true });
		truncateSync(join(directory, 'dynamodb.db'), 100);
		expect(await refusal(directory)).toMatch(/^The state in .* is incomplete: dynamodb.db cannot be read/);
	});

	it.each([false, true])('is refused even with --fresh if it holds other files: %s', async (fresh) => {
		const directory = newDirectory();
		writeFileSync(join(directory, 'letter.txt'), 'dear Ada');
		expect(await refusal(directory, fresh)).toMatch(/has files that belong to no stack, such as letter.txt/);
	});
});

describe('a state directory whose state.json names the format of its records', () => {
	it('is accepted if this release wrote it', () => {
		const directory = newDirectory();
		markState(directory);
		expect(() => checkState(directory, false)).not.toThrow();
	});

	it.each([
		['of a newer release', withForm(STORED_FORM + 1), /^The state in .* is of a newer release/],
		['of no release', withForm(0), /have a form that no release has, 0/],
		['whose format is 1.5', withForm(1.5), /have a form that no release has, 1.5/],
		['whose format is no number', withForm('1'), /is incomplete: its state.json cannot be read/],
		['that is half-written', withForm(1).slice(0, 20), /is incomplete: its state.json cannot be read/],
		['that is empty', '', /is incomplete: its state.json cannot be read/],
		['of another program', JSON.stringify({ service: 'other', form: 1 }), /has the state of another stack, other/],
	])('is refused with a state.json %s', async (_, content, words) => {
		expect(await refusal(marked(content))).toMatch(words);
	});

	it('is accepted with --fresh, unless another program made it', async () => {
		expect(() => checkState(marked(withForm(STORED_FORM + 1)), true)).not.toThrow();
		expect(() => checkState(marked('{'), true)).not.toThrow();
		expect(await refusal(marked(JSON.stringify({ service: 'other', form: 1 })), true)).toMatch(/another stack/);
	});
});
