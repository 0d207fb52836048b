import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttributeValue, BatchWriteItemCommand, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { startAwsProxy } from '../../../local/aws/aws-proxy.ts';
import { localKms } from '../../../local/aws/kms.ts';
import { openMailbox } from '../../../local/aws/mailbox.ts';
import { signCallback } from '../../../shared/adapters/telephony/simulator/simulator.ts';
import type { LegFact } from '../../../shared/domain/calls/leg.ts';
import { messageSchemas } from '../../../shared/messages/schemas.ts';
import { type QueueName, queueVariables } from '../../../shared/ports/registry.ts';
import { startDynamo, testAws } from '../../support/aws/stand-ins.ts';
import { operatorAt } from '../../support/operator.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { loadFunctions, type Request, type Response } from './functions.ts';
import {
	type Effect,
	type Message,
	openMailService,
	openReceivers,
	reportOf,
	startPhones,
	startSqs,
} from './outside.ts';
import { logged, present, stopTime } from './parts.ts';
import { type RestProvider, SECRET_ARN, settingsOf, startRestApi, startSecrets } from './providers.ts';

// The bench runs all functions of this tree in one process, with the real adapters, the stand-ins of AWS, and a clock that only
// the bench moves.

export const BASE_URL = 'https://api.example/v1';
export const PHONES_SECRET = 'the secret of the simulated phones';

/** An item in DynamoDB's own format. */
export type StoredItem = Readonly<Record<string, AttributeValue>>;
/** The state of a deployment: the table, the KMS keys by file name, and the messages in flight. */
export type State = {
	readonly now_ms: number;
	readonly items: readonly StoredItem[];
	readonly keys: Readonly<Record<string, string>>;
	readonly messages: readonly Message[];
	/** What the phone network answers when the service looks up a leg. */
	readonly reports: Readonly<Record<string, object>>;
};
const EMPTY: Omit<State, 'now_ms'> = { items: [], keys: {}, messages: [], reports: {} };

export type Bench = Awaited<ReturnType<typeof openBench>>;
const orderOf = ({ queue, body, due_ms }: Message): string => `${due_ms} ${queue} ${body}`;
const isWork = (queue: string): queue is Exclude<QueueName, 'dead-letters'> =>
	queue in queueVariables && queue !== 'dead-letters';

export type BenchProvider = 'simulator' | RestProvider;

/** Opens a deployment with this state. Call it once per process, because the functions read the environment once. */
export async function openBench(
	given: Partial<State> & Pick<State, 'now_ms'>,
	seed: string,
	provider: BenchProvider = 'simulator',
) {
	const { now_ms, items, keys, messages: pending, reports } = { ...EMPTY, ...given };
	stopTime(now_ms);
	present.seed = seed;
	const effects: Effect[] = [];
	const messages: Message[] = [...pending];
	const sent: Message[] = [];
	const directory = temporaryDirectory('upgrade-');
	const keyDirectory = join(directory, 'keys');
	mkdirSync(keyDirectory);
	for (const [file, text] of Object.entries(keys)) writeFileSync(join(keyDirectory, file), Buffer.from(text, 'base64'));
	const [dynamo, sqs, phones] = await Promise.all([startDynamo(), startSqs(messages, sent), startPhones(effects)]);
	const rest = provider === 'simulator' ? null : await Promise.all([startRestApi(effects), startSecrets()]);
	for (const [leg_id, report] of Object.entries(reports)) phones.reports.set(leg_id, report);
	const answers = openReceivers(effects, () => dies());
	const table = await dynamo.newTable();
	const kms = localKms(keyDirectory);
	const mailbox = openMailService(openMailbox(join(directory, 'mail.jsonl')));
	const proxy = await startAwsProxy({
		dynamodb: { url: dynamo.endpoint },
		sqs: { url: sqs.url },
		kms,
		mailbox,
		roleOf: () => null,
	});
	const queues = Object.fromEntries(
		Object.entries(queueVariables).map(([name, variable]) => [variable, `${sqs.url}/000000000000/${name}`]),
	);
	const env = {
		...testAws,
		...table,
		...queues,
		AWS_ENDPOINT_URL_SQS: sqs.url,
		AWS_ENDPOINT_URL_KMS: proxy.url,
		AWS_ENDPOINT_URL_SESV2: proxy.url,
		NUMBER_PUBLIC_KEY: kms.publicKey('numbers'),
		SEALING_KEY_ID: 'numbers',
		NUMBER_KEY_ID: 'numbers',
		SECRET_KEY_ID: 'secrets',
		MAC_KEY_ID: 'macs',
		PUBLIC_BASE_URL: BASE_URL,
		MAIL_SENDER: 'service@api.example',
		TELEPHONY_PROVIDER: provider,
		TELEPHONY_SETTINGS: JSON.stringify(
			provider === 'simulator' ? { url: phones.url, secret: PHONES_SECRET } : settingsOf(provider),
		),
		...(rest !== null && { TELEPHONY_SECRET_ARN: SECRET_ARN, AWS_ENDPOINT_URL_SECRETS_MANAGER: rest[1].url }),
		CALLER_NUMBER: '',
		DOCS_URL: 'https://docs.example',
		WIDGET_SCRIPT: 'https://widget.example/widget.js',
	};
	Object.assign(process.env, env);
	const client = new DynamoDBClient({
		region: env.AWS_REGION,
		endpoint: dynamo.endpoint,
		credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
	});
	for (let n = 0; n < items.length; n += 25) {
		const batch = items.slice(n, n + 25).map((Item) => ({ PutRequest: { Item: { ...Item } } }));
		await client.send(new BatchWriteItemCommand({ RequestItems: { [env.TABLE_NAME]: batch } }));
	}
	const functions = await loadFunctions();
	const { operatorDeps, readOperatorEnv } = await import('../../../ops/connect.ts');
	const operator = await operatorDeps(readOperatorEnv(env));

	let dies: () => void = () => undefined;
	/** Whether the worker handled the message. If the function died, it did not. */
	const work: typeof functions.work = (queue, body) => {
		const death = Promise.withResolvers<false>();
		dies = () => death.resolve(false);
		return Promise.race([functions.work(queue, body), death.promise]);
	};
	let mailsSeen = 0;
	const noteMails = (): void => {
		const all = mailbox.mails();
		for (const { to } of all.slice(mailsSeen)) effects.push({ effect: 'mail', to });
		mailsSeen = all.length;
	};
	/** Handles messages until none is due now. Returns how many messages failed. */
	async function settle(): Promise<number> {
		let failed = 0;
		for (;;) {
			// The messages are sorted, because concurrent requests may arrive in a different order in each run.
			const due = messages.filter(({ queue, due_ms }) => isWork(queue) && due_ms <= present.now_ms);
			const [message] = due.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
			if (message !== undefined) messages.splice(messages.indexOf(message), 1);
			if (message === undefined || !isWork(message.queue)) return failed;
			if (!(await work(message.queue, message.body))) failed += 1;
			noteMails();
		}
	}
	/**
	 * Lets time pass. Each message is handled when it is due. If there is an interval for the sweep, the sweep runs at this
	 * interval.
	 */
	async function pass(ms: number, sweepEveryMs: number | null = null): Promise<void> {
		const endMs = present.now_ms + ms;
		let sweptMs = present.now_ms;
		for (;;) {
			const due = messages.filter(({ queue }) => isWork(queue)).map(({ due_ms }) => due_ms);
			const sweepMs = sweepEveryMs === null ? endMs + 1 : sweptMs + sweepEveryMs;
			present.now_ms = Math.max(present.now_ms, Math.min(...due, sweepMs, endMs));
			if (present.now_ms >= sweepMs) {
				sweptMs = present.now_ms;
				await functions.sweep();
			}
			await settle();
			if (present.now_ms >= endMs) return;
		}
	}
	async function ask(request: Request): Promise<Response> {
		const response = await functions.ask(request);
		noteMails();
		return response;
	}
	/** A signed request of the simulated phone network. */
	function callback(legId: string, route: 'status' | 'instructions', fact: Partial<LegFact> & Pick<LegFact, 'rank'>) {
		const dial = phones.dials.find((each) => each.leg_id === legId);
		if (dial === undefined) throw new Error(`the leg ${legId} was not dialled`);
		const report = reportOf(legId, fact, present.now_ms);
		phones.reports.set(legId, report);
		const path = `${dial.leg_path}/${route}`;
		const body = JSON.stringify(report);
		const signature = signCallback(PHONES_SECRET, Math.floor(present.now_ms / 1000), path, body);
		const headers = { 'simulator-signature': signature, 'content-type': 'application/json' };
		return { method: 'POST', path: `${new URL(dial.callback_base).pathname}${path}`, headers, body };
	}
	return {
		env,
		operator,
		ops: operatorAt(operator),
		effects,
		messages,
		/** Every message that was ever sent. */
		sent,
		phones,
		/** The dials that arrived at Twilio or Telnyx. */
		restDials: rest === null ? [] : rest[0].dials,
		answers,
		mailbox,
		logged,
		ask,
		settle,
		pass,
		callback,
		/** Whether the messages that a request sends are handled at once. */
		worksAtOnce: false,
		/** Whether the queue's worker handles the message. For the dead-letter queue: whether operators can read the message. */
		async read(queue: string, body: string): Promise<boolean> {
			if (isWork(queue)) return work(queue, body);
			return queue === 'dead-letters' && messageSchemas[queue].safeParse(JSON.parse(body)).success;
		},
		async items(): Promise<readonly StoredItem[]> {
			const all: StoredItem[] = [];
			for await (const { Items = [] } of paginateScan({ client }, { TableName: env.TABLE_NAME })) all.push(...Items);
			return all.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
		},
		async state(): Promise<State> {
			const files = readdirSync(keyDirectory).sort();
			return {
				now_ms: present.now_ms,
				items: await this.items(),
				keys: Object.fromEntries(
					files.map((file) => [file, readFileSync(join(keyDirectory, file)).toString('base64')]),
				),
				messages: [...messages],
				reports: Object.fromEntries(phones.reports),
			};
		},
		async close(): Promise<void> {
			client.destroy();
			await Promise.all([proxy.close(), sqs.stop(), phones.stop(), ...(rest ?? []).map((each) => each.stop())]);
			await dynamo.stop();
			rmSync(directory, { recursive: true, force: true });
		},
	};
}

export const nameOf = (item: StoredItem): string => `${item['pk']?.S ?? ''} ${item['sk']?.S ?? ''}`;
