import { describe, expect, it } from '@jest/globals';
import { alarmQueries, type LogQuery, savedQueries } from '../../infra/log-queries.ts';
import { logFields } from '../../shared/ports/log-redaction.ts';
import { runQuery } from '../support/logs-insights.ts';
import { deployed, functionNames, ofType, readable } from './synthesised.ts';

const { template } = await deployed();
const LINE = ['timestamp', 'level', 'fact', ...Object.keys(logFields)];
const [stage] = ofType(template, 'AWS::ApiGatewayV2::Stage');
const ACCESS_LINE = Object.keys(JSON.parse(stage?.[1].Properties.AccessLogSettings.Format));

const { failuresOf, refusedRoutes, ...others } = alarmQueries;
const all: readonly (readonly [string, LogQuery])[] = [
	...Object.entries(savedQueries),
	...Object.entries(others),
	['failures', failuresOf('dial-leg')],
	['refused keys', refusedRoutes(401)],
];
const fieldsOf = ({ sources }: LogQuery) => (sources.includes('access-log') ? ACCESS_LINE : LINE);

describe('each query', () => {
	it.each(all)('%s is valid in the query language, and uses fields that the log lines have', (_, query) => {
		expect(runQuery(query.text, fieldsOf(query), [])).toEqual([]);
	});

	it.each(all)('%s reads logs that exist, and asks a question', (_, { sources, question }) => {
		expect(sources.filter((source) => source !== 'access-log' && !functionNames.includes(source))).toEqual([]);
		// A query of Logs Insights can read at most 50 log groups.
		expect(sources.length).toBeLessThanOrEqual(50);
		expect(question).toMatch(/^[A-Z].+\?$/);
	});

	it('that an alarm links to finds what it asks for in sample lines', () => {
		const routes = [
			{ route: 'POST /v1/calls', status: '503', latency_ms: '900', integration_latency_ms: '20' },
			{ route: 'POST /v1/calls', status: '403', latency_ms: '10', integration_latency_ms: '8' },
		].map((line) => JSON.stringify(line));
		const rows = ({ text }: LogQuery, lines: readonly string[], fields = LINE) => runQuery(text, fields, lines);
		expect(rows(others.failingRoutes, routes, ACCESS_LINE)).toEqual([
			{ route: 'POST /v1/calls', status: '503', times: 1 },
		]);
		expect(rows(others.slowRoutes, routes, ACCESS_LINE)).toEqual([{ route: 'POST /v1/calls', p99: 900, ours: 20 }]);
		expect(rows(refusedRoutes(403), routes, ACCESS_LINE)).toEqual([{ route: 'POST /v1/calls', times: 1 }]);
		const facts = [
			{ level: 'ERROR', fact: 'message failed', error: 'AwsFailure', code: 'AccessDeniedException' },
			{ level: 'WARN', fact: 'limit spent', workspace_id: 'w', code: 'calls_per_day' },
			{ level: 'INFO', fact: 'response', status: 202, workspace_id: 'w' },
			{ level: 'INFO', fact: 'swept', count: 3, late_ms: 400_000, zone_data: '2026c' },
		].map((line) => JSON.stringify({ timestamp: '2026-11-29T00:00:00.000Z', ...line }));
		expect(rows(failuresOf('dial-leg'), facts)).toEqual([
			{ fact: 'message failed', error: 'AwsFailure', code: 'AccessDeniedException', times: 1 },
		]);
		expect(rows(others.spentLimits, facts)).toEqual([{ workspace_id: 'w', code: 'calls_per_day', times: 1 }]);
		expect(rows(others.callsOfWorkspaces, facts)).toEqual([{ workspace_id: 'w', calls: 1 }]);
		expect(rows(others.runsOfTheSweep, facts)).toMatchObject([{ late_ms: 400_000, zone_data: '2026c' }]);
	});
});

describe('the stack', () => {
	it('saves ten queries in a folder with its name, each over its own logs', () => {
		const saved = ofType(template, 'AWS::Logs::QueryDefinition').map(([, { Properties }]) => Properties);
		expect(saved.map(({ Name }) => readable(Name)).sort()).toEqual(
			Object.keys(savedQueries)
				.map((name) => `CallBack/${name}`)
				.sort(),
		);
		expect(saved).toHaveLength(10);
		for (const { Name, QueryString, LogGroupNames } of saved) {
			const query = Object.entries(savedQueries).find(([name]) => readable(Name).endsWith(`/${name}`))?.[1];
			expect(QueryString).toBe(`# ${query?.question}\n${query?.text}`);
			expect(runQuery(QueryString, LINE, [])).toEqual([]);
			expect(LogGroupNames).toHaveLength(query?.sources.length ?? 0);
		}
	});
});

describe('the query reader of these tests', () => {
	const lines = [
		{ timestamp: '2', fact: 'dial', waited_ms: 30, code: 'a' },
		{ timestamp: '1', fact: 'dial', waited_ms: 10, code: 'b' },
		{ timestamp: '3', fact: 'notice' },
	].map((line) => JSON.stringify(line));
	const run = (query: string) => runQuery(query, LINE, lines);

	it('filters, groups, sorts and limits', () => {
		expect(run('filter fact = "dial" and (waited_ms >= 20 or code in ["b"]) | sort @timestamp asc')).toMatchObject([
			{ code: 'b' },
			{ code: 'a' },
		]);
		expect(
			run('stats count(*) as n, max(waited_ms) as most, pct(waited_ms, 50) as half, latest(code) as last by fact'),
		).toEqual([
			{ fact: 'dial', n: 2, most: 30, half: 10, last: 'a' },
			{ fact: 'notice', n: 1 },
		]);
		expect(run('fields fact | filter ispresent(code) | sort waited_ms desc | limit 1 # the slowest')).toEqual([
			{ fact: 'dial' },
		]);
		expect(run('filter waited_ms > 10 | display code')).toEqual([{ code: 'a' }]);
	});

	it.each([
		'where fact = "dial"',
		'filter fact == "dial"',
		'filter fact != "dial"',
		'filter fact = dial',
		'filter facts = "dial"',
		'filter fact = "dial" limit 3',
		'filter fact like /dial/',
		'filter (fact = "dial"',
		'fields fact,',
		'stats count(*) by fact',
		'stats count() as n by fact',
		'stats median(waited_ms) as n by fact',
		'stats count(*) as n by fact | filter waited_ms > 1',
		'sort waited_ms',
		'sort waited_ms up',
		'limit all',
		'',
		'filter fact = "dial" |',
		"filter fact = 'dial'",
	])('refuses %j', (query) => {
		expect(() => run(query)).toThrow(/./);
	});
});
