import type { Message } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';

// fauxqs forgets the group of a message that is sent to a standard queue, and SQS's fair queues depend on it. So the proxy
// writes it into an attribute of the message, and the event sources read it there.

const ATTRIBUTE = 'local-group';
/** What a receiver has to request to see the groups. */
export const GROUP_ATTRIBUTES = [ATTRIBUTE];

const Entry = z.looseObject({ MessageGroupId: z.optional(z.string()) });
const Batch = z.looseObject({ Entries: z.array(Entry) });

/** The body of a SendMessageBatch with each group also as an attribute. The stand-in refuses a body that is no batch. */
export function withGroups(input: unknown): string {
	const { data: batch } = Batch.safeParse(input);
	if (batch === undefined) return JSON.stringify(input);
	const Entries = batch.Entries.map((entry) => ({
		...entry,
		...(entry.MessageGroupId !== undefined && {
			MessageAttributes: { [ATTRIBUTE]: { DataType: 'String', StringValue: entry.MessageGroupId } },
		}),
	}));
	return JSON.stringify({ ...batch, Entries });
}

/** The group of a received message; null: none. */
export function groupOf({ Attributes, MessageAttributes }: Message): string | null {
	return Attributes?.MessageGroupId ?? MessageAttributes?.[ATTRIBUTE]?.StringValue ?? null;
}
