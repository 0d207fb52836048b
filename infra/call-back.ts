import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { IDomainName, IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { IDistribution } from 'aws-cdk-lib/aws-cloudfront';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable, Table } from 'aws-cdk-lib/aws-dynamodb';
import { type Grant, type IGrantable, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { QueueName } from '../shared/ports/registry.ts';
import { type AliasTarget, aliasTarget } from './alias-target.ts';
import { type ServiceMetric, serviceMetrics } from './constructs/alarms/metrics.ts';
import { Monitoring } from './constructs/alarms/monitoring.ts';
import { DataTable } from './constructs/data-table.ts';
import { HttpApi } from './constructs/http-api.ts';
import { LogSources } from './constructs/log-sources.ts';
import { SavedQueries } from './constructs/saved-queries.ts';
import { ServiceKeys } from './constructs/service-keys.ts';
import { functionSettings } from './constructs/settings.ts';
import { WidgetSite } from './constructs/widget-site.ts';
import { WorkQueues } from './constructs/work-queues.ts';
import { Workers } from './constructs/workers.ts';
import type { FunctionName } from './function-roles.ts';
import { addOutputs, queueOutput } from './outputs.ts';
import { checkPlace } from './place.ts';
import { type CallBackProps, type OwnDomain, PropertiesError, readCallBackProps } from './properties.ts';
import { tagAsOurs, warnOfFormerPolicies } from './tags.ts';

const METRIC_PERIOD = Duration.minutes(5);

/** The service. It connects its parts, and outputs what the operators' tools need. A stack has at most one. */
export class CallBack extends Construct {
	/**
	 * The address at which clients and providers reach the API, ending in /v1.
	 *
	 * @attribute
	 */
	readonly baseUrl: string;
	/**
	 * The URL of the widget's script, for the snippet.
	 *
	 * @attribute
	 */
	readonly widgetScript: string;
	/** The HTTP API. Use it for its metrics and its identifier. */
	readonly api: IHttpApi;
	/** The API's own domain. Undefined without `domainName`. */
	readonly apiDomain: IDomainName | undefined;
	/**
	 * The distribution that serves the widget's files. For a DNS record, use `RecordTarget.fromAlias(new
	 * CloudFrontTarget(calls.distribution))`.
	 */
	readonly distribution: IDistribution;
	/**
	 * All records. You may read the table, but write only with the API. The table outlives the stack, unless `removalPolicy`
	 * says otherwise.
	 */
	readonly table: ITable;
	private readonly queues: WorkQueues;
	private readonly functions: ReadonlyMap<string, IFunction>;

	/**
	 * `bundles`: the directory with the functions' bundles. If properties are wrong, the constructor throws an error with a
	 * sentence for each of them.
	 */
	constructor(scope: Construct, id: string, given: CallBackProps, bundles: string) {
		super(scope, id);
		const stack = Stack.of(this);
		const props = readCallBackProps(given, stack);
		this.refuseSecond();
		checkPlace(this);
		tagAsOurs(this);
		if (props.permissionsBoundary) {
			PermissionsBoundary.of(this).apply(props.permissionsBoundary);
			warnOfFormerPolicies(this);
		}
		const { requestsPerSecond: requests_per_second = 2000, logRetention: log_retention = RetentionDays.THREE_MONTHS } =
			props;
		const { removalPolicy = RemovalPolicy.RETAIN } = props;
		const basis = { bundles, log_retention };
		const table = new DataTable(this, 'Data', removalPolicy);
		const queues = new WorkQueues(this, 'Queues');
		const keys = new ServiceKeys(this, 'Keys', { ...basis, removalPolicy });
		const domain = domainOf(props.domainName, props.certificate);
		const widgetDomain = domainOf(props.widgetDomainName, props.widgetCertificate);
		const api = new HttpApi(this, 'Api', { requests_per_second, log_retention, domain });
		const base_url = props.publicBaseUrl ?? api.url;
		const widget = new WidgetSite(this, 'Widget', { ...basis, domain: widgetDomain, removalPolicy });
		const settings = functionSettings(stack, props, base_url);
		const { callConcurrency: call_concurrency, callsPerHourAlarm: calls_per_hour = 300, alarmTopic: topic } = props;
		const platform = {
			...basis,
			table,
			queues,
			keys,
			settings,
			call_concurrency,
			base_url,
			widget_script: widget.script,
		};
		api.serve(platform);
		const workers = new Workers(this, 'Workers', platform, api.callbackReceivers);
		const logs = new LogSources(api, workers);
		new SavedQueries(this, 'Queries', logs);
		const { docsUrl: docs_url } = props;
		new Monitoring(this, 'Monitoring', { api, table, queues, workers, calls_per_hour, topic, logs, docs_url });
		this.baseUrl = base_url;
		this.widgetScript = widget.script;
		this.api = asInterface(api.gateway);
		this.apiDomain = api.domain ?? undefined;
		this.distribution = widget.distribution;
		this.table = asInterface(table.table);
		this.queues = queues;
		const functions = [...api.functions, ...Object.values(workers.functions)];
		this.functions = new Map(functions.map(({ name, lambda }) => [name, lambda]));
		addOutputs(this, {
			...this.outputsOf({ widget, keys, hasWidgetDomain: widgetDomain !== null }),
			...settings.outputs,
		});
	}

	/**
	 * For a domain in Route 53: the target of the alias record of `domainName` (a name and a hosted zone). Throws an error
	 * without `domainName`.
	 */
	get apiAliasTarget(): AliasTarget {
		const { apiDomain: domain } = this;
		if (domain) return aliasTarget(domain.regionalDomainName, domain.regionalHostedZoneId);
		throw new PropertiesError(`${this.node.path} has no domain to point to: give domainName and certificate.`);
	}

	/** A queue of the service. Use it for metrics and grants. Only the service knows what the messages mean. */
	queue(name: QueueName): IQueue {
		return named(`${this.node.path} has no queue`, name, new Map(Object.entries(this.queues.queues)));
	}

	/**
	 * A function of the service. The function of a route has the name of the operation in the API's description. A worker has
	 * its own name.
	 */
	function(name: FunctionName): IFunction {
		return named(`${this.node.path} has no function`, name, this.functions);
	}

	/**
	 * A metric that the service itself defines. For the metrics that AWS defines, use `queue`, `function`, `api` and
	 * `distribution`.
	 *
	 * @param options by default, the sum over 5 minutes; for `SweepLate`, the maximum
	 */
	metric(name: ServiceMetric, options?: MetricOptions): Metric {
		const statistic = named(`${this.node.path} has no metric`, name, new Map(Object.entries(serviceMetrics)));
		const { stackName: namespace } = Stack.of(this);
		return new Metric({ namespace, metricName: name, statistic, period: METRIC_PERIOD, ...options }).attachTo(this);
	}

	/** Permission to look at dead letters and to send them again, which `ops dlq` needs. */
	grantReplay(grantee: IGrantable): Grant {
		const { 'dead-letters': deadLetters, ...work } = this.queues.queues;
		const read = deadLetters.grantConsumeMessages(grantee);
		return Object.values(work).reduce((grant, queue) => grant.combine(queue.grantSendMessages(grantee)), read);
	}

	/** The number of messages that the service could not handle. */
	metricDeadLetters(options?: MetricOptions): Metric {
		return this.queues.queues['dead-letters'].metricApproximateNumberOfMessagesVisible(options);
	}

	private refuseSecond(): void {
		const stack = Stack.of(this);
		const other = stack.node.findAll().find((each) => each instanceof CallBack && each !== this);
		if (other === undefined) return;
		throw new Error(
			`${this.node.path}: the stack has a CallBack already, ${other.node.path}. Give each a stack of its own.`,
		);
	}

	private outputsOf({ widget, keys, hasWidgetDomain }: OutputParts) {
		const { apiDomain: domain } = this;
		const output = (value: string, description: string) => ({ value, description });
		const queues = Object.entries(this.queues.queues).flatMap(([name, { queueUrl }]) => [
			[queueOutput(name), output(queueUrl, `The queue ${name}`)] as const,
			// An older name of the same output. Operators' files contain the older name.
			[`QueueUrl-${name}`, output(queueUrl, `The queue ${name}; the same as ${queueOutput(name)}`)] as const,
		]);
		const former = keys.formerMacs.map((key) => key.keyId).join(',');
		return {
			BaseUrl: output(this.baseUrl, 'Where clients and the provider reach the API'),
			WidgetScript: output(this.widgetScript, 'The script of the snippet'),
			WidgetPinnedScript: output(widget.pinned, 'The script of this release, for pages that pin it'),
			WidgetIntegrity: output(widget.integrity, 'The integrity value of the pinned script'),
			TableName: output(this.table.tableName, 'The table with all records'),
			NumberKeyId: output(keys.number.keyId, 'The key that opens phone numbers'),
			SecretKeyId: output(keys.secret.keyId, 'The key of webhook secrets'),
			MacKeyId: output(keys.mac.keyId, 'The key of hashes for look-ups'),
			...(former !== '' && { FormerMacKeyIds: output(former, 'Former keys of hashes, newest first') }),
			...(domain && {
				ApiTarget: output(domain.regionalDomainName, 'What the DNS record of domainName points to'),
				ApiHostedZoneId: output(domain.regionalHostedZoneId, 'The hosted zone of ApiTarget, for an alias record'),
			}),
			...(hasWidgetDomain && {
				WidgetTarget: output(
					this.distribution.distributionDomainName,
					'What the DNS record of widgetDomainName points to',
				),
			}),
			...Object.fromEntries(queues),
		};
	}
}

/** The CDK's classes implement these interfaces, but a compiler with `exactOptionalPropertyTypes` does not accept that. */
function asInterface(table: Table): ITable;
function asInterface(api: HttpApi['gateway']): IHttpApi;
function asInterface(construct: object): object {
	return construct;
}

type OutputParts = { readonly widget: WidgetSite; readonly keys: ServiceKeys; readonly hasWidgetDomain: boolean };

/** Returns the value with this name. Callers without types may ask for a wrong name: the error lists all names. */
function named<T>(missing: string, name: string, all: ReadonlyMap<string, T>): T {
	const found = all.get(name);
	if (found !== undefined) return found;
	throw new Error(`${missing} "${name}": expected one of ${[...all.keys()].sort().join(', ')}`);
}

const domainOf = (name: CallBackProps['domainName'], certificate: CallBackProps['certificate']): OwnDomain | null =>
	name !== undefined && certificate !== undefined ? { name, certificate } : null;
