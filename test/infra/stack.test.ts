import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { runbookSections } from '../../infra/constructs/alarms/alarm.ts';
import { checkedApp } from '../../infra/create-app.ts';
import { alarmQueries, savedQueries } from '../../infra/log-queries.ts';
import { records, table } from '../../shared/adapters/dynamodb/table.ts';
import { methodsOfRoute } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import {
	can,
	type DeployedFunction,
	deployedTemplate,
	functionNames,
	functionsOf,
	ofType,
	plain,
	readable,
	routesOf,
	summary,
	synthesise,
	type Template,
	type What,
	whichCan,
	whole,
} from './synthesised.ts';

const GOLDEN = join(import.meta.dirname, '__golden__/stack.txt');

let template: Template;
let functions: readonly DeployedFunction[];

beforeAll(async () => {
	template = await deployedTemplate();
	functions = functionsOf(template);
});

const only = (type: string) => {
	const [found, ...others] = ofType(template, type);
	expect(others).toEqual([]);
	return found?.[1].Properties;
};
const whoCan = (...what: What): string[] => whichCan(functions, ...what);

describe('the API', () => {
	it('has one function for every route, a preflight for every widget path, and a response for all other paths', () => {
		const expected = new Map<string, string>(
			routes.flatMap((route) => methodsOfRoute(route).map((method) => [`${method} /v1${route.path}`, route.operation])),
		);
		for (const { surface, path } of routes) if (surface === 'widget') expected.set(`OPTIONS /v1${path}`, 'preflight');
		expected.set('$default', 'fallback');
		expect(new Map([...routesOf(template)].sort())).toEqual(new Map([...expected].sort()));
	});

	it('leaves CORS to the functions, limits every route, and logs neither paths nor addresses', () => {
		const propertiesOf = (type: string) => ofType(template, type).map(([, { Properties }]) => Properties);
		for (const api of propertiesOf('AWS::ApiGatewayV2::Api')) expect(api).not.toHaveProperty('CorsConfiguration');
		const [stage] = propertiesOf('AWS::ApiGatewayV2::Stage');
		expect(stage).toMatchObject({
			StageName: '$default',
			AutoDeploy: true,
			DefaultRouteSettings: { ThrottlingRateLimit: 2000 },
		});
		expect(stage.AccessLogSettings.Format).not.toMatch(/context\.path|sourceIp|requestOverride|userAgent/);
	});
});

describe('every function', () => {
	it('is in the list of functions, with its own role that only Lambda can assume', () => {
		expect(functions.map(({ name }) => name)).toEqual(functionNames);
		expect(new Set(functions.map(({ role }) => role)).size).toBe(functions.length);
		const roles = ofType(template, 'AWS::IAM::Role').filter(([id]) => !/^ApiInvoker[0-9A-F]{8}$/.test(id));
		expect(roles).toHaveLength(functions.length);
		for (const [, { Properties }] of roles) {
			expect(Properties).not.toHaveProperty('ManagedPolicyArns');
			expect(Properties.AssumeRolePolicyDocument.Statement).toEqual([
				{ Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
			]);
		}
		expect(ofType(template, 'AWS::IAM::Policy')).toEqual([]);
		expect(ofType(template, 'AWS::IAM::ManagedPolicy')).toEqual([]);
	});

	it('runs on Node.js 24 and arm64, logs JSON to a group that expires, and is not in a VPC', () => {
		for (const { properties } of functions) {
			expect(properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' });
			expect(properties.LoggingConfig.LogFormat).toBe('JSON');
			const group = template.Resources[properties.LoggingConfig.LogGroup.Ref];
			expect(group?.Properties.RetentionInDays).toBe(90);
			expect(properties).not.toHaveProperty('VpcConfig');
		}
	});

	it('has the metadata by which the local stack finds its bundle and its name', () => {
		for (const [, { Metadata }] of ofType(template, 'AWS::Lambda::Function')) {
			expect(Metadata).toMatchObject({
				'aws:asset:path': expect.stringMatching(/^asset\./),
				function: expect.any(String),
			});
		}
	});
});

describe('a role', () => {
	const statements = () => functions.flatMap((each) => each.statements.map((statement) => ({ ...statement, each })));

	it('has no wildcard, in actions or in resources, except the recipients of mail and the suppression list', () => {
		const wild = statements().filter(({ actions, resources }) => [...actions, ...resources].join().includes('*'));
		const allowed = new Set(wild.flatMap(({ actions }) => actions));
		expect([...allowed].sort()).toEqual(['ses:GetSuppressedDestination', 'ses:SendEmail']);
	});

	it('reaches only the partitions of the records that the list of functions gives it', () => {
		const known = new Set(Object.values(records).map(({ prefix }) => `${prefix}*`));
		for (const { actions, resources, prefixes, keyless } of statements()) {
			const onTable = resources.some((resource) => resource.startsWith('DataTable'));
			expect(prefixes.length > 0 || keyless).toBe(onTable);
			if (!onTable) continue;
			if (resources[0] === 'DataTable') {
				const others = prefixes.filter((prefix) => !known.has(prefix));
				expect(others.join('')).toMatch(
					/(BatchGet|Get|Update)Item/.test(actions.join())
						? /^(COUNTER#((api|tally|tally#names)#)?\*)*$/
						: /^(COUNTER#tally#\*)?$/,
				);
			}
			expect(prefixes.filter((prefix) => !/^[A-Za-z_]+#((api|tally|tally#names)#)?\*$/.test(prefix))).toEqual([]);
		}
	});

	it('may add to counters, and may read those that have a limit', () => {
		const on = (action: string) =>
			statements()
				.filter(({ prefixes, actions }) => prefixes.includes('COUNTER#*') && actions.includes(`dynamodb:${action}`))
				.map(({ each }) => each.name)
				.sort();
		const counting = ['confirm-callback-link', 'create-callback-lead', 'request-call'];
		expect(on('UpdateItem')).toEqual([...counting, 'change-desk', 'change-developers', 'open-desk', 'sign-in'].sort());
		expect(on('GetItem')).toEqual([...counting, 'change-desk', 'get-widget-config', 'show-desk'].sort());
		const onApiCounters = statements().filter(({ prefixes }) => prefixes.includes('COUNTER#api#*'));
		const ofServers = routes.filter(({ surface }) => surface === 'server').map(({ operation }) => operation);
		expect(onApiCounters.map(({ actions }) => actions)).toEqual(ofServers.map(() => ['dynamodb:UpdateItem']));
		expect(onApiCounters.map(({ each }) => each.name).sort()).toEqual([...ofServers].sort());
	});

	it('lets a function send exactly to the queues in its environment', () => {
		for (const { name, statements: own, variables } of functions) {
			const sends = own
				.filter(({ actions }) => actions.includes('sqs:SendMessage'))
				.flatMap(({ resources }) => resources);
			const points = variables.filter((variable) => variable.startsWith('QUEUE_URL_'));
			const expected = sends.map((queue) => `QUEUE_URL_${queue.replace('Queues', '').toUpperCase()}`).sort();
			expect({ name, points: points.map((point) => `QUEUE_URL_${point.slice(10).replaceAll('_', '')}`) }).toEqual({
				name,
				points: expected,
			});
		}
	});
});

describe('phone numbers', () => {
	it('can be read and decrypted only by the dialling function', () => {
		for (const action of ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:BatchGetItem']) {
			const readers = whoCan(action, 'DataTable', records.sealed_number.prefix);
			expect(readers).toEqual(action === 'dynamodb:Query' ? [] : ['dial-leg']);
		}
		expect(whoCan('kms:Decrypt', 'KeysNumber')).toEqual(['dial-leg']);
	});

	it('of visitors are written by the two public routes, which have the public half of the key and cannot decrypt them', () => {
		const writers = ['create-callback-lead', 'request-call'];
		expect(whoCan('dynamodb:PutItem', 'DataTable', records.sealed_number.prefix)).toEqual(writers);
		const sealers = functions.filter(({ variables }) => variables.includes('NUMBER_PUBLIC_KEY'));
		expect(sealers.map(({ name }) => name)).toEqual(['change-desk', ...writers]);
	});

	it('of a team are separate from those of visitors: the desk writes and moves them, and cannot decrypt them', () => {
		expect(whoCan('dynamodb:PutItem', 'DataTable', records.team_number.prefix)).toEqual(['change-desk']);
		expect(whoCan('dynamodb:GetItem', 'DataTable', records.team_number.prefix)).toEqual(['change-desk', 'dial-leg']);
		expect(whoCan('kms:Decrypt', 'KeysNumber')).toEqual(['dial-leg']);
		expect(records.team_number.prefix.startsWith(records.sealed_number.prefix)).toBe(false);
	});

	it('are sealed with a key that outlives the stack, unless its creation failed', () => {
		const key = ofType(template, 'AWS::KMS::Key').find(([id]) => readable({ Ref: id }) === 'KeysNumber');
		expect(key?.[1]).toMatchObject({
			Properties: { KeySpec: 'RSA_2048', KeyUsage: 'ENCRYPT_DECRYPT' },
			DeletionPolicy: 'RetainExceptOnCreate',
			UpdateReplacePolicy: 'Retain',
		});
	});
});

describe('mail', () => {
	it('is sent by one function, only from the configured sender, to every identity (in its sandbox, SES checks both sender and recipient)', () => {
		const senders = functions.filter(({ statements }) =>
			statements.some(({ actions }) => actions.includes('ses:SendEmail')),
		);
		expect(senders.map(({ name }) => name)).toEqual(['notify-team']);
		const mailers = functions.filter(({ variables }) => variables.includes('MAIL_SENDER'));
		expect(mailers).toEqual(senders);
		const { Policies } = template.Resources[senders[0]?.role ?? '']?.Properties ?? {};
		const [statement] = Policies[0].PolicyDocument.Statement.filter(
			({ Action }: { Action: string }) => Action === 'ses:SendEmail',
		);
		expect(statement.Condition).toEqual({ StringEquals: { 'ses:FromAddress': 'calls@shop.example' } });
		expect(readable(statement.Resource)).toMatch(/^arn:.+:identity\/\*$/);
	});
});

describe('the table', () => {
	it('matches the definition in the adapter: keys, keys-only indexes, expiry', () => {
		const key = (partition: string, sort: string) => [
			{ AttributeName: partition, KeyType: 'HASH' },
			{ AttributeName: sort, KeyType: 'RANGE' },
		];
		expect(only('AWS::DynamoDB::Table')).toMatchObject({
			KeySchema: key(table.partition_key, table.sort_key),
			TimeToLiveSpecification: { AttributeName: table.ttl_attribute, Enabled: true },
			GlobalSecondaryIndexes: Object.values(table.indexes).map(({ name, partition_key, sort_key }) => ({
				IndexName: name,
				KeySchema: key(partition_key, sort_key),
				Projection: { ProjectionType: 'KEYS_ONLY' },
			})),
		});
	});

	it('is billed by use, has point-in-time recovery, is protected from deletion, and is encrypted with our key', () => {
		expect(only('AWS::DynamoDB::Table')).toMatchObject({
			BillingMode: 'PAY_PER_REQUEST',
			PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
			DeletionProtectionEnabled: true,
			SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
		});
	});
});

describe('a queue', () => {
	const queues = () => ofType(template, 'AWS::SQS::Queue').map(([id, { Properties }]) => ({ id, ...Properties }));

	it('is encrypted and refuses connections without TLS', () => {
		const secured = ofType(template, 'AWS::SQS::QueuePolicy').flatMap(([, { Properties }]) => {
			const [statement] = Properties.PolicyDocument.Statement;
			expect(statement).toMatchObject({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } });
			return Properties.Queues.map(readable);
		});
		expect(secured.sort()).toEqual(
			queues()
				.map(({ id }) => readable({ Ref: id }))
				.sort(),
		);
		for (const { SqsManagedSseEnabled } of queues()) expect(SqsManagedSseEnabled).toBe(true);
	});

	it('moves a message after five tries to the dead-letter queue, which keeps it for 14 days', () => {
		const dead = queues().filter(({ RedrivePolicy }) => RedrivePolicy === undefined);
		expect(dead).toMatchObject([
			{ MessageRetentionPeriod: 14 * 24 * 3600, RedriveAllowPolicy: { redrivePermission: 'allowAll' } },
		]);
		for (const { RedrivePolicy } of queues()) {
			if (RedrivePolicy === undefined) continue;
			expect(RedrivePolicy).toEqual({
				deadLetterTargetArn: { 'Fn::GetAtt': [dead[0]?.id, 'Arn'] },
				maxReceiveCount: 5,
			});
		}
	});

	it('sends its worker batches that may fail in part, and hides a message for six times the worker’s time-out', () => {
		const sources = ofType(template, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties);
		const fed = sources.map(({ EventSourceArn, FunctionName, ...source }) => {
			const queue = template.Resources[EventSourceArn['Fn::GetAtt'][0]]?.Properties;
			const worker = template.Resources[FunctionName.Ref];
			expect(source.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
			const { MaximumConcurrency: most } = source.ScalingConfig;
			expect(most).toBeGreaterThanOrEqual(2);
			expect(queue.VisibilityTimeout).toBeGreaterThanOrEqual(6 * worker?.Properties.Timeout);
			const named = functions.find(({ name }) => name === worker?.Metadata.function);
			expect(named && can(named, 'sqs:ReceiveMessage', readable(EventSourceArn))).toBe(true);
			return [readable(EventSourceArn), named?.name, source.BatchSize];
		});
		expect(fed.sort()).toEqual([
			['Queuescalltimers', 'call-timer', 10],
			['Queuesdeliveries', 'deliver-webhook', 10],
			['Queuesdiallegs', 'dial-leg', 1],
			['Queueshanguplegs', 'hang-up-leg', 5],
			['Queuesretries', 'deliver-webhook', 10],
			['Queuesteamnotices', 'notify-team', 5],
		]);
	});

	it('lets its own worker send messages to it without a limit, if the worker continues a call or a schedule', () => {
		const allowed = functions.filter(({ properties }) => properties.RecursiveLoop === 'Allow').map(({ name }) => name);
		expect(allowed).toEqual(['call-timer', 'deliver-webhook', 'dial-leg', 'notify-team']);
	});
});

describe('the widget', () => {
	it('is in a bucket that only its CloudFront distribution reads, and that outlives the stack', () => {
		const [[id, bucket] = [], ...others] = Object.entries(template.Resources).filter(
			([, { Type }]) => Type === 'AWS::S3::Bucket',
		);
		expect(others).toEqual([]);
		expect(bucket).toMatchObject({
			DeletionPolicy: 'Retain',
			Properties: {
				VersioningConfiguration: { Status: 'Enabled' },
				LifecycleConfiguration: { Rules: [{ NoncurrentVersionExpiration: { NoncurrentDays: 90 } }] },
			},
		});
		expect(Object.values(bucket?.Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
		const { Bucket, PolicyDocument } = only('AWS::S3::BucketPolicy');
		expect(Bucket).toEqual({ Ref: id });
		expect(PolicyDocument.Statement).toMatchObject([
			{ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
			{ Effect: 'Allow', Action: 's3:GetObject', Principal: { Service: 'cloudfront.amazonaws.com' } },
		]);
		expect(PolicyDocument.Statement[1].Condition.StringEquals).toHaveProperty('AWS:SourceArn');
	});

	it('is served over https to pages of every origin, with headers that prevent content sniffing', () => {
		const { DefaultCacheBehavior: behaviour } = only('AWS::CloudFront::Distribution').DistributionConfig;
		expect(behaviour).toMatchObject({ ViewerProtocolPolicy: 'https-only', AllowedMethods: ['GET', 'HEAD'] });
		const { ResponseHeadersPolicyConfig: headers } = only('AWS::CloudFront::ResponseHeadersPolicy');
		expect(headers.CorsConfig).toMatchObject({
			AccessControlAllowOrigins: { Items: ['*'] },
			AccessControlAllowCredentials: false,
		});
		expect(headers.SecurityHeadersConfig).toMatchObject({
			ContentTypeOptions: { Override: true },
			StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000 },
		});
	});

	it('has names in CloudFront that do not collide with a stack in another region or of another name', () => {
		const { ResponseHeadersPolicyConfig: headers } = only('AWS::CloudFront::ResponseHeadersPolicy');
		const { OriginAccessControlConfig: access } = only('AWS::CloudFront::OriginAccessControl');
		for (const { Name } of [headers, access]) {
			expect(Name).toEqual({ 'Fn::Join': ['', ['CallBack-', { Ref: 'AWS::Region' }, '-widget']] });
		}
	});

	it('has outputs for its address and integrity value; the function that publishes it may write no other files', () => {
		const { CallBackWidgetPinnedScript: script, CallBackWidgetIntegrity: integrity } = template.Outputs;
		expect(readable(script.Value)).toMatch(/^https:\/\/.+\/widget\.[0-9a-f]{10}\.js$/);
		expect(integrity.Value).toMatch(/^sha384-[A-Za-z0-9+/]{64}$/);
		const publisher = functions.find(({ name }) => name === 'publish-widget');
		const writes = publisher?.statements.find(({ actions }) => actions.includes('s3:PutObject'));
		expect(writes?.resources).toHaveLength(14);
	});
});

describe('the stack, for its operators,', () => {
	it('sweeps every minute, and each sweep ends before the next one begins', () => {
		const rule = only('AWS::Events::Rule');
		expect(rule).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
		const sweep = template.Resources[rule.Targets[0].Arn['Fn::GetAtt'][0]];
		expect(sweep?.Metadata.function).toBe('sweep');
		expect(sweep?.Properties.Timeout).toBeLessThan(60);
	});

	it('has an impact and a runbook section for every alarm, and an alarm for every section', () => {
		const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
		const titles = [...runbook.matchAll(/^##+ (.+)$/gm)].map(([, title = '']) => title);
		for (const [section, { title }] of Object.entries(runbookSections)) {
			expect([section, titles.includes(title)]).toEqual([title.toLowerCase().replaceAll(' ', '-'), true]);
		}
		const sections = ofType(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => {
			const [impact, first, ...rest] = readable(Properties.AlarmDescription).split('\n');
			expect(impact).toMatch(/^.{20,}\.$/);
			expect(first).toMatch(/^First: (ops|smoke|aws) /);
			expect(rest.join('\n')).not.toMatch(/docs\/|\.md|undefined|\[object/);
			const [, title, page] = /^Runbook, "(.+)": (\S+)$/.exec(rest.at(-1) ?? '') ?? [];
			const section = title?.toLowerCase().replaceAll(' ', '-') ?? '';
			expect(page).toBe(`${whole.docsUrl}/runbook#${section}`);
			expect(Properties.AlarmActions).toHaveLength(1);
			expect(Properties.OKActions).toEqual(Properties.AlarmActions);
			return section;
		});
		expect(new Set(sections)).toEqual(new Set(Object.keys(runbookSections)));
	});

	it('links each alarm to its log query and to the queue, function or table, in the console of the region', () => {
		const links = ofType(template, 'AWS::CloudWatch::Alarm').flatMap(([id, { Properties }]) =>
			readable(Properties.AlarmDescription)
				.split('\n')
				.flatMap((line) => /^(Log|AWS): (\S+)$/.exec(line)?.slice(1) ?? [])
				.map((text) => [id.replace(/^Monitoring|[0-9A-F]{8}$/g, ''), text] as const),
		);
		const urls = links.map(([, text]) => text).filter((text) => text.startsWith('https:'));
		expect(urls.length).toBeGreaterThan(40);
		for (const url of urls) {
			expect(url).toMatch(
				/^https:\/\/AWS::Region\.console\.aws\.amazon\.com\/[a-z0-9/]+\/home\?region=AWS::Region#\S+[\w9]$/,
			);
			expect(url).not.toMatch(/[()'"<>~\\]/);
		}
		const of = (id: string) => links.filter(([alarm]) => alarm === id).map(([, text]) => text);
		const queue = 'AWS::Region.AWS::URLSuffix%2FAWS::AccountId%2FQueuesdeliveries';
		expect(of('ageofdeliveries')[3]).toContain(`#/queues/https%3A%2F%2Fsqs.${queue}`);
		const [, query = ''] = of('errorsofdialleg');
		const [, text = ''] = /editorString\$257E\$2527(.+?)\$257E/.exec(query) ?? [];
		expect(decodeURIComponent(text.replaceAll('*', '%'))).toBe(alarmQueries.failuresOf('dial-leg').text);
		expect(query).toContain('source$257E$2528$257E$2527WorkersdiallegLogs$2529$2529');
	});

	it('has a dashboard with a link to each saved query and to the runbook', () => {
		const [dashboard] = ofType(template, 'AWS::CloudWatch::Dashboard');
		const body = JSON.parse(readable(dashboard?.[1].Properties.DashboardBody));
		const { markdown } = body.widgets.find(({ type }: { type: string }) => type === 'text').properties;
		for (const { question } of Object.values(savedQueries)) expect(markdown).toContain(`- [${question}](https://`);
		expect(markdown).toContain(`[Runbook](${whole.docsUrl}/runbook)`);
		expect(body.widgets.filter(({ type }: { type: string }) => type === 'log')).toEqual([]);
	});

	it('shows no number, name, address, secret or account of its settings in an alarm, a saved query or the dashboard', () => {
		const plainly = (text: string) =>
			text.replace(/[*%]([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
		const texts = { Alarm: 'AlarmDescription', Dashboard: 'DashboardBody' } as const;
		const shown = [
			...Object.entries(texts).flatMap(([type, text]) =>
				ofType(template, `AWS::CloudWatch::${type}`).map(([, { Properties }]) => readable(Properties[text])),
			),
			...ofType(template, 'AWS::Logs::QueryDefinition').map(([, { Properties }]) => readable(Properties.QueryString)),
		].map(plainly);
		expect(shown.length).toBeGreaterThan(30);
		const { callerNumber, accountSid, secret } = { callerNumber: '', accountSid: '', secret: '', ...whole.telephony };
		const canaries = [
			callerNumber,
			callerNumber?.slice(1),
			accountSid,
			secret,
			'twilio-AbCdEf',
			'111122223333',
			whole.mailSender,
		];
		for (const canary of canaries)
			expect([canary, shown.filter((text) => text.includes(`${canary}`))]).toEqual([canary, []]);
		expect(shown.join('\n')).not.toMatch(/\+\d{7}|[\w.]+@[\w-]+\.|cbk_live_|whsec_|\bAC\w{32}\b/);
	});

	it('names the section of the runbook in each alarm if no documentation is served', async () => {
		const texts = ofType(await synthesise(plain), 'AWS::CloudWatch::Alarm').map(([, { Properties }]) =>
			readable(Properties.AlarmDescription),
		);
		for (const text of texts) expect(text).toMatch(/\nRunbook, "[A-Z][\w ]+"$/);
	});

	it('has alarms for throttled reads and writes of the table, and for throttled writes of each index, which has its own metric', () => {
		const indexes = Object.values(table.indexes).map((index) => ['DataTable', index.name]);
		const dimensionsOf = (metric: string) =>
			ofType(template, 'AWS::CloudWatch::Alarm')
				.filter(([, { Properties }]) => Properties.MetricName === metric)
				.map(([, { Properties }]) =>
					Properties.Dimensions.map(({ Value }: { Value: unknown }) => readable(Value)).reverse(),
				);
		expect(dimensionsOf('ReadThrottleEvents')).toEqual([['DataTable']]);
		expect(dimensionsOf('WriteThrottleEvents').sort()).toEqual([['DataTable'], ...indexes].sort());
	});

	it('derives its metrics from log lines that a function writes', () => {
		const sources = globSync(['functions/**/*.ts', 'shared/**/*.ts'], { cwd: join(import.meta.dirname, '../..') });
		const written = sources.map((file) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')).join('');
		for (const [, { Properties }] of ofType(template, 'AWS::Logs::MetricFilter')) {
			if (readable(Properties.LogGroupName) === 'ApiAccessLogs') continue;
			expect(written).toContain(`('${/= "(.+)"/.exec(Properties.FilterPattern)?.[1]}', {`);
		}
	});

	it('has alarms for forged callbacks, guessed keys and too many calls, from lines of the access log', () => {
		const filters = ofType(template, 'AWS::Logs::MetricFilter').map(([, { Properties }]) => Properties);
		const patterns = filters.filter(({ LogGroupName }) => readable(LogGroupName) === 'ApiAccessLogs');
		const countingFilters = patterns.map(({ FilterPattern, MetricTransformations: [{ MetricName }] }) => {
			const said = [...String(FilterPattern).matchAll(/= "([^"]+)"/g)].map(([, value]) => value);
			return [MetricName, said];
		});
		const keysOf = (surface: string) =>
			routes.filter((route) => route.surface === surface).map(({ method, path }) => `${method} /v1${path}`);
		expect(Object.fromEntries(countingFilters)).toEqual({
			RefusedCallbacks: ['403', ...keysOf('provider')],
			RefusedKeys: ['401', ...keysOf('server')],
			CallsAccepted: ['202', 'POST /v1/widget/call-requests'],
		});
		for (const { FilterPattern } of filters) expect(FilterPattern.length).toBeLessThanOrEqual(1024);
		const alarms = ofType(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
		const metrics = Object.fromEntries(
			alarms.map(({ MetricName, Threshold, Period }) => [MetricName, [Threshold, Period]]),
		);
		expect(metrics).toMatchObject({ RefusedCallbacks: [20, 300], RefusedKeys: [100, 300] });
		expect(metrics['CallsAccepted']).toEqual([300, 3600]);
	});

	it('outputs the addresses that the operator needs', () => {
		const queues = Object.keys(template.Outputs).filter((name) => name.endsWith('QueueUrl'));
		for (const name of queues) {
			const former = `CallBackQueueUrl${name.slice('CallBack'.length, -'QueueUrl'.length).toLowerCase()}`;
			expect([name, template.Outputs[former].Value]).toEqual([name, template.Outputs[name].Value]);
		}
		for (const { Description } of Object.values<{ Description?: string }>(template.Outputs))
			expect(Description).toMatch(/^\S.{10,}/);
		expect(Object.keys(template.Outputs).sort()).toEqual([
			...['CallBackBaseUrl', 'CallBackCallTimersQueueUrl', 'CallBackDeadLettersQueueUrl', 'CallBackDeliveriesQueueUrl'],
			...[
				'CallBackDialLegsQueueUrl',
				'CallBackHangUpLegsQueueUrl',
				'CallBackMacKeyId',
				'CallBackMailSender',
				'CallBackNumberKeyId',
			],
			...['CallBackQueueUrlcalltimers', 'CallBackQueueUrldeadletters', 'CallBackQueueUrldeliveries'],
			...['CallBackQueueUrldiallegs', 'CallBackQueueUrlhanguplegs', 'CallBackQueueUrlretries'],
			...['CallBackQueueUrlteamnotices', 'CallBackRetriesQueueUrl', 'CallBackSecretKeyId', 'CallBackTableName'],
			...['CallBackTeamNoticesQueueUrl', 'CallBackTelephonyProvider'],
			...['CallBackTelephonySecretArn', 'CallBackTelephonySettings', 'CallBackWidgetIntegrity'],
			...['CallBackWidgetPinnedScript', 'CallBackWidgetScript'],
		]);
	});

	it('deploys without any choice, and dialling is off', async () => {
		const { Outputs, Resources, Parameters } = await synthesise(plain);
		expect(Object.keys(Parameters)).toEqual(['BootstrapVersion']);
		expect(Outputs).toMatchObject({
			CallBackTelephonyProvider: { Value: 'none' },
			CallBackMailSender: { Value: 'none' },
		});
		const made = functionsOf({ ...template, Resources });
		const providers = made.flatMap(({ properties }) => properties.Environment?.Variables?.TELEPHONY_PROVIDER ?? []);
		expect(new Set(providers)).toEqual(new Set(['none']));
		expect(JSON.stringify(Resources)).not.toContain('secretsmanager');
	});
});

describe('the checks of the template', () => {
	it('fail the synthesis on an unacknowledged finding', () => {
		const outdir = mkdtempSync(join(tmpdir(), 'careless-'));
		const app = checkedApp(outdir);
		new Queue(new Stack(app, 'Careless'), 'Queue');
		expect(() => app.synth()).toThrow('AwsSolutions-SQS4');
		rmSync(outdir, { recursive: true });
	});

	it('show every change of routes, roles and environments to a person (UPDATE_GOLDEN=1 accepts it)', () => {
		if (process.env['UPDATE_GOLDEN'] || !existsSync(GOLDEN)) writeFileSync(GOLDEN, summary(template));
		expect(summary(template)).toBe(readFileSync(GOLDEN, 'utf8'));
	});
});
