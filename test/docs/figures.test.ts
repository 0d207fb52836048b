import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DUE_SHARDS } from '../../shared/ports/registry.ts';
import { deployed, ofType } from '../infra/synthesised.ts';

// The figures of docs/deployment.md and docs/scaling.md that follow from the template, the code, or another figure there.
// test/bench compares those of one call with a measured call.

const page = (name: string): string => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');
const [deployment, scaling] = [page('deployment.md'), page('scaling.md')];
const { template, functions } = await deployed();

/** The cells of the first row whose first cell begins with `title`. */
function row(text: string, title: string): readonly string[] {
	const line = text.split('\n').find((each) => each.startsWith(`| ${title}`));
	if (line === undefined) throw new Error(`no row ${title}`);
	return line
		.split('|')
		.slice(2, -1)
		.map((cell) => cell.trim());
}
/** The first number in a cell: `1,000,000`, `2.6 million`. */
function figure(cell = ''): number {
	const [, digits = '', unit = ''] = /([\d,.]*\d) ?(million|billion)?/.exec(cell) ?? [];
	return Number(digits.replaceAll(',', '')) * ({ million: 1e6, billion: 1e9 }[unit] ?? 1);
}
const count = (type: string): number => ofType(template, type).length;

describe('docs/deployment.md', () => {
	it('lists every parameter with its default', () => {
		const written = [...deployment.matchAll(/^\| (`\w+`(?:, `\w+`)*) \| (.*?) \|/gm)].flatMap(
			([, names = '', values = '']) => {
				const defaults = values.split(', ').map((value) => value.replaceAll('`', ''));
				return names.split(', ').map((name, n) => [name.replaceAll('`', ''), defaults[n] ?? defaults[0]]);
			},
		);
		const wording: Readonly<Record<string, string>> = { '': 'none' };
		const given = Object.entries<{ Default: unknown }>(template.Parameters)
			.filter(([name]) => name !== 'BootstrapVersion')
			.map(([name, { Default }]) => [name, wording[String(Default)] ?? String(Default)]);
		const own = { PublicBaseUrl: "the API's own address" };
		expect(Object.fromEntries(written)).toEqual({ ...Object.fromEntries(given), ...own });
	});

	it('counts alarms, metrics, keys and polled queues as the template has them, and adds up their dollars', () => {
		const [alarms, metrics] = [count('AWS::CloudWatch::Alarm'), count('AWS::Logs::MetricFilter')];
		const [queues, keys] = [count('AWS::Lambda::EventSourceMapping'), count('AWS::KMS::Key')];
		const lines = [
			row(deployment, `${alarms} alarms, ${metrics} metrics of ours`),
			row(deployment, `${keys} KMS keys (two of them rotate`),
			row(deployment, `${queues} queues that Lambda polls`),
			row(deployment, 'dashboard'),
			row(deployment, 'the sweep'),
		].map(([cell]) => figure(cell));
		expect(lines.slice(0, 2)).toEqual([expect.closeTo(alarms * 0.1 + metrics * 0.3), keys]);
		const [all] = row(deployment, '**in all**');
		expect(figure(all)).toBe(Math.round(lines.reduce((a, b) => a + b, 0)));
		const rotating = ofType(template, 'AWS::KMS::Key').filter(([, { Properties }]) => Properties.EnableKeyRotation);
		expect(rotating).toHaveLength(2);
		expect(deployment).toContain('the four KMS keys');
		expect(keys).toBe(4);
		// A metric in an alarm's expression would cost as much as an alarm.
		for (const [, { Properties }] of ofType(template, 'AWS::CloudWatch::Alarm')) {
			expect(Properties).not.toHaveProperty('Metrics');
		}
	});

	it('says what stays, and what a failed first deployment leaves', () => {
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

	it('computes the quota that CallConcurrency=50 needs', () => {
		const reserved = functions.flatMap(
			({ properties }) => properties.ReservedConcurrentExecutions?.['Fn::If'][1] ?? [],
		);
		const fixed = reserved.filter((each): each is number => typeof each === 'number').reduce((a, b) => a + b, 100);
		const each = reserved.filter((one) => typeof one !== 'number').length;
		expect(deployment).toContain(`${each} times the value, and ${fixed}: ${each * 50 + fixed} for 50`);
	});
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

	it('compares those with our own limit and the quotas', () => {
		const [requests, writes] = [row(scaling, 'gateway requests/s'), row(scaling, 'write units/s')];
		const limit = template.Parameters.RequestsPerSecond.Default;
		expect(row(scaling, 'our own `RequestsPerSecond`').map(figure)).toEqual([limit, ...requests.slice(1).map(figure)]);
		expect(scaling).toContain(`stops at ${Math.floor(limit / figure(requests[0]))} calls a second`);
		expect(figure(row(scaling, 'API Gateway, requests/s')[1])).toBe(figure(requests[1]));
		expect(row(scaling, 'DynamoDB on demand, units/s of a new').slice(1).map(figure)).toEqual(
			writes.slice(1).map(figure),
		);
		expect(scaling).toContain(`${(250 * figure(requests[0])).toLocaleString('en')} requests a second at the gateway`);
		expect(scaling).toContain(`above ${Math.floor(4000 / figure(writes[0]) / 10) * 10} calls a second`);
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
			`\`maxConcurrency\` is ${most[0]} functions with ${batch} messages each for first attempts, ${most[1]} for retries`,
		);
		expect(row(scaling, 'event source, maximum concurrency')[0]).toContain(`${most[0]} and ${most[1]} set here`);
	});
});
