import { pass, startWire, type Wire } from './faulty-wire.ts';
import { isRead, isWrite, type Use, usageOf } from './usage.ts';

/** The requests that a piece of work sent to AWS, in readable form. */
export type Asked = {
	/** Requests to the table by operation: `1 GetItem, 2 TransactWriteItems`. */
	readonly table: string;
	/** Write units, as DynamoDB reports them in `ConsumedCapacity`. */
	readonly written: number;
	readonly read: number;
	/** Requests to SQS, and the messages in them: `1 SendMessageBatch (2 dial-legs)`. */
	readonly queues: string;
	readonly keys: string;
};

type Endpoints = Readonly<
	Record<'AWS_ENDPOINT_URL_DYNAMODB' | 'AWS_ENDPOINT_URL_SQS' | 'AWS_ENDPOINT_URL_KMS', string>
>;

/** Puts a counting proxy in front of the table, the queues and the keys of `env`. */
export async function countRequests({
	AWS_ENDPOINT_URL_DYNAMODB,
	AWS_ENDPOINT_URL_SQS,
	AWS_ENDPOINT_URL_KMS,
}: Endpoints) {
	const uses: Use[] = [];
	const wire = (target: string, isTable: boolean): Promise<Wire> =>
		startWire(async (request) => {
			const input: object = JSON.parse(request.body);
			const asked = isTable ? { ...input, ReturnConsumedCapacity: 'TOTAL' } : input;
			const answer = await pass(target, { ...request, body: JSON.stringify(asked) });
			uses.push(usageOf('', request.operation, input, isTable ? Buffer.from(answer.body) : null));
			return answer;
		});
	const [table, queues, keys] = await Promise.all([
		wire(AWS_ENDPOINT_URL_DYNAMODB, true),
		wire(AWS_ENDPOINT_URL_SQS, false),
		wire(AWS_ENDPOINT_URL_KMS, false),
	]);
	return {
		env: {
			AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
			AWS_ENDPOINT_URL_SQS: queues.endpoint,
			AWS_ENDPOINT_URL_KMS: keys.endpoint,
		} satisfies Endpoints,
		/** Runs `act` and returns the requests that it made. */
		async asked(act: () => Promise<unknown>): Promise<Asked> {
			uses.length = 0;
			await act();
			return askedBy([...uses]);
		},
		stop: () => Promise.all([table.stop(), queues.stop(), keys.stop()]),
	};
}

function askedBy(uses: readonly Use[]): Asked {
	const sends = uses.filter(({ operation }) => operation.startsWith('SendMessage'));
	const ofTable = uses.filter((use) => isWrite(use) || isRead(use));
	const ofKeys = uses.filter((use) => !sends.includes(use) && !ofTable.includes(use));
	const messages = Map.groupBy(sends, ({ on }) => on);
	const sent = [...messages].map(([queue, each]) => `${unitsOf(each)} ${queue}`).sort();
	return {
		table: operationsOf(ofTable),
		written: unitsOf(ofTable.filter(isWrite)),
		read: unitsOf(ofTable.filter(isRead)),
		queues: sends.length === 0 ? '' : `${operationsOf(sends)} (${sent.join(', ')})`,
		keys: operationsOf(ofKeys),
	};
}

const unitsOf = (uses: readonly Use[]): number => uses.reduce((sum, { amount }) => sum + amount, 0);

function operationsOf(uses: readonly Use[]): string {
	const each = Map.groupBy(uses, ({ operation }) => operation);
	return [...each]
		.map(([operation, { length }]) => `${length} ${operation}`)
		.sort()
		.join(', ');
}
