import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { propertyNames } from '../../infra/properties.ts';
import { DEFAULT_LIMITS } from '../../shared/domain/access/limits.ts';
import { DUE_SHARDS } from '../../shared/ports/registry.ts';
import { deployed, functionsOf, ofType, plain, synthesise, whole } from '../infra/synthesised.ts';

// Tests the figures in docs/deployment.md and docs/scaling.md that follow from the template, from the code, or from another
// figure on the page. test/lab/bench compares the figures about one call with a measured call.

const page = (name: string): string => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');
const deployment = page('deployment.md');
const scaling = page('scaling.md');
const { template } = await deployed();

/** The cells after the first one, in the first row whose first cell begins with `title`. */
function row(text: string, title: string): readonly string[] {
	const line = text.split('\n').find((each) => each.startsWith(`| ${title}`));
	if (line === undefined) throw new Error(`no row ${title}`);
	return line
		.split('|')
		.slice(2, -1)
		.map((cell) => cell.trim());
}
/** The first number in a cell, such as `1,000,000` or `2.6 million`. */
function figure(cell = ''): number {
	const [, digits = '', unit = ''] = /([\d,.]*\d) ?(million|billion)?/.exec(cell) ?? [];
	return Number(digits.replaceAll(',', '')) * ({ million: 1e6, billion: 1e9 }[unit] ?? 1);
}
const count = (type: string): number => ofType(template, type).length;

describe('docs/first-week.md', () => {
	it('adds up what 100 calls a month cost, with the same figure for AWS as docs/deployment.md', () => {
		const week = page('first-week.md');
		const amounts = (title: string) => row(week, title).map(figure);
		const minutes = 4 * 80 + 3 * 80 + 20;
		const joined = 4 * 80 + 3 * 80;
		const phone = amounts('price of a minute of one phone |');
		const room = amounts('price of a minute of one phone in');
		const phones = amounts(`${minutes} minutes of phones`);
		const rooms = amounts(`${joined} minutes in the conference`);
		const number = amounts('one local number');
		const provider = amounts('**the phone provider**');
		const aws = amounts('the service on AWS');
		const secret = amounts('the provider');
		for (const column of [0, 1]) {
			const at = (row: readonly number[]): number => row[column] ?? Number.NaN;
			expect(at(phones)).toBeCloseTo(minutes * at(phone), 2);
			expect(at(rooms)).toBeCloseTo(joined * at(room), 2);
			expect(at(provider)).toBeCloseTo(at(phones) + at(rooms) + at(number), 2);
			expect(at(aws)).toBe(figure(row(deployment, '**in all**')[0]));
			expect(at(amounts('**in all, if'))).toBeCloseTo(at(provider) + at(aws) + at(secret), 2);
		}
	});
});

describe('docs/deployment.md', () => {
	it('lists every property with its default', () => {
		const written = new Map(
			[...deployment.matchAll(/^\| `(\w+)` \| (.*?) \|/gm)].map(([, name = '', value = '']) => [
				name,
				value.replaceAll('`', ''),
			]),
		);
		expect([...written.keys()].sort()).toEqual([...propertyNames].sort());
		const [group] = ofType(template, 'AWS::Logs::LogGroup');
		const [stage] = ofType(template, 'AWS::ApiGatewayV2::Stage');
		const alarm = ofType(template, 'AWS::CloudWatch::Alarm').find(
			([, each]) => each.Properties.MetricName === 'CallsAccepted',
		);
		expect([written.get('logRetention'), written.get('requestsPerSecond'), written.get('callsPerHourAlarm')]).toEqual(
			[
				group?.[1].Properties.RetentionInDays,
				stage?.[1].Properties.DefaultRouteSettings.ThrottlingRateLimit,
				alarm?.[1].Properties.Threshold,
			].map(String),
		);
		expect(written.get('stackName')).toBe(plain.stackName);
	});

	it('counts alarms, metrics, keys and polled queues as the template has them, and adds up their dollars', () => {
		const alarms = count('AWS::CloudWatch::Alarm');
		// If two log filters count in the same metric, this metric is billed only once.
		const metrics = new Set(
			ofType(template, 'AWS::Logs::MetricFilter').map(
				([, { Properties }]) => Properties.MetricTransformations[0].MetricName,
			),
		).size;
		const queues = count('AWS::Lambda::EventSourceMapping');
		const keys = count('AWS::KMS::Key');
		const lines = [
			row(deployment, `${alarms} alarms, ${metrics} metrics of ours`),
			row(deployment, `${keys} KMS keys (two of them rotate`),
			row(deployment, `${queues} queues that Lambda polls`),
			row(deployment, 'dashboard'),
			row(deployment, 'the sweep'),
		].map(([cell]) => figure(cell));
		expect(lines.slice(0, 2)).toEqual([expect.closeTo(alarms * 0.1 + metrics * 0.3), keys]);
		const [all] = row(deployment, '**in all**');
		expect(figure(all)).toBeCloseTo(lines.reduce((a, b) => a + b, 0));
		expect(figure(all)).toBeLessThan(13.5);
		const [dashboard] = ofType(template, 'AWS::CloudWatch::Dashboard');
		const metricsShown = JSON.stringify(dashboard?.[1].Properties.DashboardBody).split('\\"AWS/').length - 1;
		expect(metricsShown).toBeGreaterThan(20);
		expect(metricsShown).toBeLessThanOrEqual(50);
		const rotating = ofType(template, 'AWS::KMS::Key').filter(([, { Properties }]) => Properties.EnableKeyRotation);
		expect(rotating).toHaveLength(2);
		expect(deployment).toContain('the four KMS keys');
		expect(keys).toBe(4);
		// A metric in an alarm's expression would cost as much as another alarm.
		for (const [, { Properties }] of ofType(template, 'AWS::CloudWatch::Alarm')) {
			expect(Properties).not.toHaveProperty('Metrics');
		}
	});

	it('says what stays after a deletion, and what a failed first deployment leaves', () => {
		const policies = Object.values(template.Resources).map((each) => [each.Type, each.DeletionPolicy]);
		const having = (policy: string) => [
			...new Set(policies.filter(([, kept]) => kept === policy).map(([type]) => type)),
		];
		expect(having('Retain').sort()).toEqual(['AWS::DynamoDB::Table', 'AWS::S3::Bucket']);
		expect(having('RetainExceptOnCreate')).toEqual(['AWS::KMS::Key']);
		const [[, bucket] = []] = ofType(template, 'AWS::S3::Bucket');
		expect(bucket?.Properties.VersioningConfiguration.Status).toBe('Enabled');
		expect(deployment).toMatch(/list-object-versions[\s\S]*delete-objects[\s\S]*delete-bucket/);
	});

	it('computes the quota that a callConcurrency of 50 needs', async () => {
		const reserved = functionsOf(await synthesise({ ...whole, callConcurrency: 50 })).flatMap(
			({ properties }): number[] => properties.ReservedConcurrentExecutions ?? [],
		);
		const all = reserved.reduce((a: number, b: number) => a + b, 100);
		const each = reserved.filter((one) => one === 50).length;
		expect(deployment).toContain(`${each} times the value plus ${all - each * 50}: ${all} for a value of 50`);
	});
});

it('the README gives the same costs as docs/deployment.md and docs/scaling.md', () => {
	const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
	expect(readme).toContain(`about $${Math.round(figure(row(deployment, '**in all**')[0]))} a month without calls`);
	expect(readme).toContain(`about $${figure(row(scaling, 'with one endpoint')[0])} for a million calls`);
});

describe('docs/scaling.md', () => {
	const oneCall = (title: string): number => figure(row(scaling, title)[1]);
	const SIZES = [1, 100, 10_000];
	const cost = figure(row(scaling, 'with one endpoint')[0]);

	it.each([
		['write units/s', oneCall('write units')],
		['read units/s', oneCall('read units')],
		['gateway requests/s', oneCall('requests at the gateway')],
		['messages/s', oneCall('messages')],
		['RSA openings/s', oneCall('openings')],
		['calls a month', 30 * 86_400],
		['dollars a month, platform', (cost * 30 * 86_400) / 1e6],
	])('multiplies %s of a call by each size', (title, each) => {
		for (const [n, cell] of row(scaling, title).entries()) {
			const exact = (SIZES[n] ?? 0) * each;
			expect(Math.abs(figure(cell) / exact - 1)).toBeLessThan(0.02);
		}
	});

	it.each([
		['`requestsPerSecond`', oneCall('requests at the gateway')],
		['API Gateway, requests', oneCall('requests at the gateway')],
		['DynamoDB, write units a second of a new table', oneCall('write units')],
		['DynamoDB, write units a second of a table', oneCall('write units')],
		['KMS, RSA', oneCall('openings')],
		['what AWS bills', (cost * 30 * 86_400) / 1e6],
	])('states, for 1, 10 and 100 calls a second, the need of %s', (title, each) => {
		for (const [n, cell] of row(scaling, title).slice(1).entries()) {
			expect(Math.abs(figure(cell) / (10 ** n * each) - 1)).toBeLessThan(0.02);
		}
	});

	it('says from which load a limit has to be raised', () => {
		const requests = oneCall('requests at the gateway');
		const writes = oneCall('write units');
		const limit = ofType(template, 'AWS::ApiGatewayV2::Stage')[0]?.[1].Properties.DefaultRouteSettings
			.ThrottlingRateLimit;
		expect(figure(row(scaling, '`requestsPerSecond`')[0])).toBe(limit);
		expect(scaling).toContain(`takes ${Math.floor(limit / requests)} calls a second`);
		const full = [10_000 / requests, 1000 / oneCall('openings'), 40_000 / writes].map(Math.floor);
		expect(scaling).toContain(
			`API Gateway is full at ${full[0]} calls a second, KMS at ${full[1]} and DynamoDB at ${full[2]}.`,
		);
		expect(scaling).toContain(`at 250, the gateway gets ${(250 * requests).toLocaleString('en')} requests a second`);
		expect(scaling).toContain(`above ${Math.floor(4000 / writes / 10) * 10} calls a second`);
		const { requests_per_workspace_per_window, calls_per_day } = DEFAULT_LIMITS;
		expect(row(scaling, 'limits of a workspace')[0]).toBe(`${requests_per_workspace_per_window} and ${calls_per_day}`);
	});

	it('derives the limits of partitions and workers from the code', () => {
		expect(scaling).toContain(`${DUE_SHARDS} shards: ${(DUE_SHARDS * 1000).toLocaleString('en')} write units a second`);
		expect(scaling).toContain(`**${(DUE_SHARDS * 100).toLocaleString('en')} calls a second**`);
		const sources = ofType(template, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties);
		const delivering = sources.filter(
			({ FunctionName }) => template.Resources[FunctionName.Ref]?.Metadata.function === 'deliver-webhook',
		);
		const most = delivering.map(({ ScalingConfig }) => ScalingConfig.MaximumConcurrency).sort((a, b) => b - a);
		const [batch] = delivering.map(({ BatchSize }) => BatchSize);
		expect(scaling).toContain(
			`\`maxConcurrency\` is ${most[0]} functions for first attempts and ${most[1]} for retries, with ${batch} messages each`,
		);
	});
});
