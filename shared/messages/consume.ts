import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import type * as z from 'zod/mini';
import { definedFields } from '../domain/kernel/defined-fields.ts';
import type { Log } from '../ports/log.ts';
import { errorFields } from '../ports/log-redaction.ts';

type Message = Pick<SQSRecord, 'messageId' | 'body'>;
type Batch = { readonly Records: readonly Message[] };
/** The part of Lambda's context that we read: the id of the request. Some callers pass no id. */
type InvocationContext = { readonly awsRequestId?: string };

/**
 * Makes a worker for an SQS event source with ReportBatchItemFailures. The worker handles each message of a batch
 * separately, so that only failed messages are delivered again. If `run` throws, SQS delivers the message again. After five
 * deliveries, SQS moves the message to the dead-letter queue.
 */
export function consume<S extends z.ZodMiniType>(
	worker: string,
	schema: S,
	log: Log,
	run: (message: z.infer<S>) => Promise<void>,
): (event: Batch, context?: InvocationContext) => Promise<SQSBatchResponse> {
	const handleOne = async ({ body }: Message): Promise<boolean> => {
		try {
			await run(schema.parse(JSON.parse(body)));
			return true;
		} catch (error) {
			log.error('message failed', { operation: worker, ...errorFields(error) });
			return false;
		}
	};
	return async (event, { awsRequestId: function_request_id } = {}) => {
		log.begins?.(definedFields({ function_request_id }));
		const successes = await Promise.all(event.Records.map(handleOne));
		const failures = event.Records.filter((_, index) => successes[index] === false);
		return { batchItemFailures: failures.map((record) => ({ itemIdentifier: record.messageId })) };
	};
}
