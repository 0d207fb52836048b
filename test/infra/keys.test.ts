import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { ServiceKeys } from '../../infra/constructs/service-keys.ts';
import { records } from '../../shared/adapters/dynamodb/table.ts';
import { routes } from '../../shared/contract/routes.ts';
import { bareApp, type DeployedFunction, deployed, stubBundles, type What, whichCan } from './synthesised.ts';

// Tests which function may use which key, and how the roles change when a key is replaced.

let functions: readonly DeployedFunction[];
const bundles = await stubBundles();
beforeAll(async () => {
	({ functions } = await deployed());
});
afterAll(() => bundles.remove());

const whoCan = (...what: What): string[] => whichCan(functions, ...what);

describe('API keys', () => {
	it('are created and revoked by the developers’ pages, and revoked when the person who made them is removed; functions of the server API record the last use separately', () => {
		const writers = ['change-desk', 'change-developers'];
		expect(whoCan('dynamodb:PutItem', 'DataTable', records.api_key.prefix)).toEqual(writers);
		expect(whoCan('dynamodb:DeleteItem', 'DataTable', records.api_key.prefix)).toEqual([]);
		const server = routes.filter(({ surface }) => surface === 'server').map(({ operation }) => operation);
		expect(whoCan('dynamodb:PutItem', 'DataTable', records.api_key_use.prefix)).toEqual([...server].sort());
	});
});

it('sealed secrets can be decrypted only by functions that sign webhooks, repeat a response with a secret, or post to the team’s chat', () => {
	const signing = ['change-developers', 'deliver-webhook', 'test-webhook-endpoint'];
	const answering = ['create-webhook-endpoint', 'rotate-webhook-secret'];
	expect(whoCan('kms:Decrypt', 'KeysSecret')).toEqual([...signing, ...answering, 'notify-team'].sort());
});

describe('a replaced key', () => {
	type Made = { readonly environment: Readonly<Record<string, unknown>>; readonly keys: readonly string[] };
	function made(number: readonly [string, ...string[]], lookup: readonly [string, ...string[]]) {
		const stack = new Stack(bareApp(), 'Test');
		const keys = new ServiceKeys(stack, 'Keys', {
			bundles: bundles.dir,
			log_retention: RetentionDays.ONE_DAY,
			removalPolicy: RemovalPolicy.RETAIN,
			generations: { number, lookup },
		});
		const granted = (grant: ReturnType<ServiceKeys['macs']>): Made => {
			const text = JSON.stringify(stack.resolve(grant.statements.map((statement) => statement.toStatementJson())));
			const names = [...text.matchAll(/"Keys([A-Za-z0-9]+?)[0-9A-F]{8}"/g)].map(([, name = '']) => name);
			return { environment: stack.resolve(grant.environment), keys: names };
		};
		return { numbers: granted(keys.openNumbers()), seal: granted(keys.sealNumbers()), macs: granted(keys.macs()) };
	}
	const idOf = (value: unknown): string => JSON.stringify(value);

	it('may still decrypt and find values, but no longer seal or hash new values', () => {
		const { numbers, seal, macs } = made(['Number', 'Number2'], ['Mac', 'Mac2', 'Mac3']);
		expect(numbers.keys).toEqual(['Number', 'Number2']);
		expect(idOf(seal.environment['SEALING_KEY_ID'])).toContain('KeysNumber2');
		expect(macs.keys).toEqual(['Mac3', 'Mac2', 'Mac']);
		expect(idOf(macs.environment['MAC_KEY_ID'])).toContain('KeysMac3');
		expect(idOf(macs.environment['FORMER_MAC_KEY_IDS'])).toMatch(/KeysMac2.*KeysMac[0-9A-F]{8}/);
	});

	it('is named in the environment of a function only if a key was replaced', () => {
		const { macs } = made(['Number'], ['Mac']);
		expect(Object.keys(macs.environment)).toEqual(['MAC_KEY_ID']);
		expect(macs.keys).toEqual(['Mac']);
	});
});
