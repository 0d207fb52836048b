import * as z from 'zod/mini';

/** What one request used: capacity units of DynamoDB, messages of SQS, or one request to KMS or SES. */
export type Use = {
	readonly role: string;
	readonly operation: string;
	/** The name of the queue or the key. Empty for the table. */
	readonly on: string;
	readonly amount: number;
};

const Capacity = z.object({ CapacityUnits: z.number() });
const Consumed = z.object({ ConsumedCapacity: z.optional(z.union([Capacity, z.array(Capacity)])) });
const Asked = z.object({
	KeyId: z.optional(z.string()),
	QueueUrl: z.optional(z.string()),
	Entries: z.optional(z.array(z.unknown())),
});

export function usageOf(role: string, operation: string, input: unknown, answer: Buffer | null): Use {
	const { KeyId, QueueUrl, Entries } = Asked.parse(input);
	const on = (QueueUrl ?? KeyId ?? '').split('/').at(-1) ?? '';
	return { role, operation, on, amount: answer === null ? (Entries?.length ?? 1) : unitsIn(answer) };
}

/** The capacity units in DynamoDB's response. They are 0 if DynamoDB refused the request. */
function unitsIn(answer: Buffer): number {
	const { ConsumedCapacity = [] } = Consumed.safeParse(JSON.parse(answer.toString('utf8'))).data ?? {};
	return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
}

/** `isWrite` is true for operations that use write units, and `isRead` for operations that use read units. */
export const isWrite = ({ operation }: Use): boolean => /^(Put|Update|Delete|TransactWrite)/.test(operation);
export const isRead = ({ operation }: Use): boolean => /^(Get|BatchGet)Item|^Query/.test(operation);
