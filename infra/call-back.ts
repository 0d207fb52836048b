import { CfnOutput, Stack, Tags } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { type Grant, type IGrantable, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { Monitoring } from './constructs/alarms/monitoring.ts';
import { DataTable } from './constructs/data-table.ts';
import { HttpApi } from './constructs/http-api.ts';
import { ServiceKeys } from './constructs/service-keys.ts';
import { settingsOf } from './constructs/settings.ts';
import { WidgetSite } from './constructs/widget-site.ts';
import { WorkQueues } from './constructs/work-queues.ts';
import { Workers } from './constructs/workers.ts';
import { CallBackProps, type OwnDomain, readProperties } from './properties.ts';

/** Every output begins with it, so that the service finds its own in a stack with other things. */
const OUTPUT_PREFIX = 'CallBack';

/** The service: composes its parts, and outputs what the operator's tools need. A stack has at most one. */
export class CallBack extends Construct {
	/** Where clients and providers reach the API, ending in /v1. */
	readonly baseUrl: string;
	/** The URL of the widget's script, for the snippet. */
	readonly widgetScript: string;
	/** All records. It outlives the stack. */
	readonly table: Table;
	private readonly queues: WorkQueues;

	/** `bundles`: the directory of the functions' bundles. Throws a sentence for each property that is wrong. */
	constructor(scope: Construct, id: string, given: CallBackProps, bundles: string) {
		super(scope, id);
		const props = readProperties(CallBackProps, given);
		this.refuseSecond();
		// By these tags the policies of infra/policies know which keys, distributions and APIs are ours, and of this stack: those have no
		// names. Stacks of before have only the first. cfn-lint 1.51 refuses tags of dashboards.
		const except = { excludeResourceTypes: ['AWS::CloudWatch::Dashboard'] };
		Tags.of(this).add('application', 'call-back', except);
		Tags.of(this).add('call-back-stack', Stack.of(this).stackName, except);
		if (props.permissionsBoundary) PermissionsBoundary.of(this).apply(props.permissionsBoundary);
		const { requestsPerSecond: requests_per_second = 2000, logRetention: log_retention = RetentionDays.THREE_MONTHS } =
			props;
		const basis = { bundles, log_retention };
		const table = new DataTable(this, 'Data');
		const queues = new WorkQueues(this, 'Queues');
		const keys = new ServiceKeys(this, 'Keys', basis);
		const domain = domainOf(props.domainName, props.certificate);
		const widgetDomain = domainOf(props.widgetDomainName, props.widgetCertificate);
		const api = new HttpApi(this, 'Api', { requests_per_second, log_retention, domain });
		const base_url = props.publicBaseUrl ?? api.url;
		const widget = new WidgetSite(this, 'Widget', { ...basis, domain: widgetDomain });
		const settings = settingsOf(Stack.of(this), props, base_url);
		const { callConcurrency: call_concurrency, callsPerHourAlarm: calls_per_hour = 300, alarmTopic: topic } = props;
		const shared = { ...basis, table, queues, keys, settings, call_concurrency };
		const platform = { ...shared, base_url, widget_script: widget.script };
		api.serve(platform);
		const workers = new Workers(this, 'Workers', platform, api.hearing);
		new Monitoring(this, 'Monitoring', { api, table, queues, workers, calls_per_hour, topic });
		this.baseUrl = base_url;
		this.widgetScript = widget.script;
		this.table = table.table;
		this.queues = queues;

		this.output({
			BaseUrl: base_url,
			WidgetScript: widget.script,
			WidgetPinnedScript: widget.pinned,
			WidgetIntegrity: widget.integrity,
			TableName: table.table.tableName,
			NumberKeyId: keys.number.keyId,
			SecretKeyId: keys.secret.keyId,
			MacKeyId: keys.mac.keyId,
			...(keys.formerMacs.length > 0 && { FormerMacKeyIds: keys.formerMacs.map((key) => key.keyId).join(',') }),
			...settings.outputs,
			...(api.target !== null && { ApiTarget: api.target }),
			...(widgetDomain && { WidgetTarget: widget.target }),
		});
		for (const [name, queue] of Object.entries(queues.queues)) this.output({ [`QueueUrl-${name}`]: queue.queueUrl });
	}

	/** Permission to look at dead letters and to send them again, as `ops dlq` does. */
	grantReplay(grantee: IGrantable): Grant {
		const { 'dead-letters': deadLetters, ...work } = this.queues.queues;
		const read = deadLetters.grantConsumeMessages(grantee);
		return Object.values(work).reduce((grant, queue) => grant.combine(queue.grantSendMessages(grantee)), read);
	}

	/** Messages that the service gave up on. */
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

	private output(values: Readonly<Record<string, string>>): void {
		for (const [name, value] of Object.entries(values)) {
			const output = new CfnOutput(this, name, { value });
			output.overrideLogicalId(`${OUTPUT_PREFIX}${name.replaceAll('-', '')}`);
		}
	}
}

const domainOf = (name: CallBackProps['domainName'], certificate: CallBackProps['certificate']): OwnDomain | null =>
	name !== undefined && certificate !== undefined ? { name, certificate } : null;
