import { CfnOutput, Stack, Tags } from 'aws-cdk-lib';
import { PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { Monitoring } from './constructs/alarms/monitoring.ts';
import { CallEngine } from './constructs/call-engine.ts';
import { Concurrency } from './constructs/concurrency.ts';
import { DataTable } from './constructs/data-table.ts';
import { HttpApi } from './constructs/http-api.ts';
import { ServiceKeys } from './constructs/service-keys.ts';
import { Settings } from './constructs/settings.ts';
import { Sweep } from './constructs/sweep.ts';
import { TeamNotices } from './constructs/team-notices.ts';
import { WebhookDelivery } from './constructs/webhook-delivery.ts';
import { WidgetSite } from './constructs/widget-site.ts';
import { WorkQueues } from './constructs/work-queues.ts';

/** The service's stack: composes its parts, and outputs what the operator's tools need. */
export class CallBackStack extends Stack {
	constructor(scope: Construct, id: string, props: { readonly bundles: string }) {
		super(scope, id, { description: 'Call-Back Widget Service', terminationProtection: true });
		const settings = new Settings(this, 'Settings');
		// The policies of infra/policies know by this tag which keys and distributions are ours: those have no names. cfn-lint 1.51 refuses tags of dashboards.
		Tags.of(this).add('application', 'call-back', { excludeResourceTypes: ['AWS::CloudWatch::Dashboard'] });
		PermissionsBoundary.of(this).apply(settings.permissionsBoundary());
		const concurrency = new Concurrency(this, 'Concurrency');
		const table = new DataTable(this, 'Data');
		const queues = new WorkQueues(this, 'Queues', { concurrency });
		const keys = new ServiceKeys(this, 'Keys', props);
		const api = new HttpApi(this, 'Api', { requests_per_second: settings.requestsPerSecond });
		const base_url = settings.baseUrl(api.url);
		const widget = new WidgetSite(this, 'Widget', props);
		const platform = {
			bundles: props.bundles,
			settings,
			concurrency,
			base_url,
			table,
			queues,
			keys,
			widget_script: widget.script,
		};
		api.serve(platform);
		const calls = new CallEngine(this, 'Calls', platform, api.functionsOf('provider'));
		const webhooks = new WebhookDelivery(this, 'Webhooks', platform);
		const notices = new TeamNotices(this, 'Notices', platform);
		const sweep = new Sweep(this, 'Sweep', platform);
		const workers = [...calls.functions, webhooks.function, notices.function];
		new Monitoring(this, 'Monitoring', {
			api,
			table,
			queues,
			workers,
			delivery: webhooks,
			sweep,
			calls_per_hour: settings.callsPerHour,
			action: settings.alarmAction(),
		});

		const output = (name: string, value: string): CfnOutput => new CfnOutput(this, name, { value });
		output('BaseUrl', base_url);
		output('WidgetScript', widget.script);
		output('WidgetPinnedScript', widget.pinned);
		output('WidgetIntegrity', widget.integrity);
		output('TableName', table.table.tableName);
		for (const [name, queue] of Object.entries(queues.queues)) output(`QueueUrl-${name}`, queue.queueUrl);
		output('NumberKeyId', keys.number.keyId);
		output('SecretKeyId', keys.secret.keyId);
		output('MacKeyId', keys.mac.keyId);
		if (keys.formerMacs.length > 0) output('FormerMacKeyIds', keys.formerMacs.map((key) => key.keyId).join(','));
		output('MailSender', settings.mailSender());
		for (const [name, value] of Object.entries(settings.telephonyOutputs())) output(name, value);
	}
}
