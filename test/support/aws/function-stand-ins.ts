import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startAwsProxy } from '../../../local/aws/aws-proxy.ts';
import { localKms } from '../../../local/aws/kms.ts';
import { openMailbox } from '../../../local/aws/mailbox.ts';
import { temporaryDirectory } from '../temporary.ts';
import { startDynamo, startSqs, testAws } from './stand-ins.ts';

/** The table, the queues and the keys of one deployment on running stand-ins, and the environment variables of its functions. */
export async function functionStandIns() {
	const [dynamo, sqs] = await Promise.all([startDynamo(), startSqs()]);
	const table = await dynamo.newTable();
	const directory = temporaryDirectory('functions-');
	const kms = localKms(directory);
	const mailbox = openMailbox(join(directory, 'mail.jsonl'));
	const proxy = await startAwsProxy({
		dynamodb: { url: dynamo.endpoint },
		sqs: { url: sqs.endpoint },
		kms,
		mailbox,
		roleOf: () => null,
	});
	/** The SDK sends to the host in the queue's URL, not to the configured endpoint. */
	const queue = (name: string): string => {
		sqs.server.createQueue(name);
		return `${sqs.endpoint}/000000000000/${name}`;
	};
	const env = {
		...testAws,
		...table,
		AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
		AWS_ENDPOINT_URL_SQS: sqs.endpoint,
		AWS_ENDPOINT_URL_KMS: proxy.url,
		NUMBER_PUBLIC_KEY: kms.publicKey('numbers'),
		SEALING_KEY_ID: 'numbers',
		SECRET_KEY_ID: 'secrets',
		MAC_KEY_ID: 'macs',
		QUEUE_URL_DIAL_LEGS: queue('dial-legs'),
		QUEUE_URL_HANG_UP_LEGS: queue('hang-up-legs'),
		QUEUE_URL_CALL_TIMERS: queue('call-timers'),
		QUEUE_URL_DELIVERIES: queue('deliveries'),
		QUEUE_URL_RETRIES: queue('retries'),
		QUEUE_URL_TEAM_NOTICES: queue('team-notices'),
		QUEUE_URL_DEAD_LETTERS: queue('dead-letters'),
	};
	return {
		env,
		async stop() {
			await Promise.all([proxy.close(), sqs.stop()]);
			await dynamo.stop();
			rmSync(directory, { recursive: true, force: true });
		},
	};
}
