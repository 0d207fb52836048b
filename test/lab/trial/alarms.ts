import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { Certificates } from '../../../local/certificates.ts';
import { awsCommandsOf } from '../../support/aws-commands.ts';
import { eventually } from '../../support/stack/api.ts';
import { aws } from './deployer.ts';
import type { Account } from './deployment.ts';
import { say } from './run.ts';

// Runs the commands of "Send alarms to people" in docs/deploying-safely.md as the page shows them.

const PAGER_DUTY = 'https://events.pagerduty.com/integration/KEY/enqueue';

/** The page has one command that begins with `beginning`. Returns the command's words, with `instead` for its placeholders. */
function documented(beginning: string, instead: Readonly<Record<string, string>> = {}): readonly string[] {
	const all = awsCommandsOf('docs/deploying-safely.md');
	const [command, ...others] = all.filter((each) => each.startsWith(beginning));
	if (command === undefined || others.length > 0) throw new Error(`the page has not one command ${beginning}`);
	const [, ...words] = command.match(/'[^']*'|\S+/g) ?? [];
	return words.map((word) => instead[word] ?? word.replaceAll("'", ''));
}

/** A stand-in for the URL at which PagerDuty is notified. */
export async function startPager({ cert_pem: cert, key_pem: key }: Certificates) {
	const heard: { readonly Type: string; readonly Token?: string; readonly Message: string }[] = [];
	const server = createServer({ cert, key }, (request, response) => {
		void textOf(request).then((body) => {
			heard.push(JSON.parse(body));
			response.end();
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `https://localhost:${port}/integration/KEY/enqueue`,
		heard,
		async close(): Promise<void> {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
type Pager = Awaited<ReturnType<typeof startPager>>;

/** Creates the topic, subscribes a mail address and the pager, and creates the role for Slack. Returns the topic's ARN. */
export async function topicWithSubscribers(pager: Pager, account: Account): Promise<string> {
	const { TopicArn } = await aws(documented('aws sns create-topic'), account);
	const instead = { TOPIC: TopicArn, [PAGER_DUTY]: pager.url };
	const subscribe = 'aws sns subscribe --topic-arn TOPIC --protocol';
	await aws(documented(`${subscribe} email`, instead), account);
	await aws(documented(`${subscribe} https`, instead), account);
	// PagerDuty would confirm the subscription by itself. Here, the test confirms it.
	const { Token = '' } = await eventually('the request to confirm', async () => pager.heard[0] ?? null);
	await aws(['sns', 'confirm-subscription', '--topic-arn', TopicArn, '--token', Token], account);
	await aws(documented('aws iam create-role --role-name CallBackAlarmsInSlack'), account);
	await aws(documented('aws iam attach-role-policy'), account);
	const { Subscriptions } = await aws(['sns', 'list-subscriptions-by-topic', '--topic-arn', TopicArn], account);
	say(`subscribed: ${Subscriptions.map(({ Protocol }: { readonly Protocol: string }) => Protocol)}`);
	return TopicArn;
}

/** Triggers one alarm. The pager has to be notified when it fires and when it is over. */
export async function triggerAlarm(pager: Pager, account: Account): Promise<void> {
	const { MetricAlarms } = await aws(['cloudwatch', 'describe-alarms'], account);
	const { AlarmName } = MetricAlarms[0];
	for (const state of ['ALARM', 'OK']) {
		const change = ['--alarm-name', AlarmName, '--state-value', state, '--state-reason', 'try'];
		await aws(['cloudwatch', 'set-alarm-state', ...change], account);
		const alarm = await eventually(state, async () => {
			const notices = pager.heard
				.filter(({ Type }) => Type === 'Notification')
				.map(({ Message }) => JSON.parse(Message));
			return notices.find(({ NewStateValue }) => NewStateValue === state) ?? null;
		});
		say(`the pager gets ${alarm.AlarmName}: ${alarm.NewStateValue}`);
	}
}
