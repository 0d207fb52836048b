import { GetQueueAttributes$, type GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { Backlog } from '../../ports/queues.ts';
import { queueVariables } from '../../ports/registry.ts';
import { awsClient } from '../aws/client/client.ts';
import { operation } from '../aws/client/operation.ts';
import { type QueuesEnv, sqsProtocol } from './queues.ts';

const getQueueAttributes = operation<GetQueueAttributesCommand>(GetQueueAttributes$);
const TRY_MS = 1000;

/** What SQS counts. A count that it does not give is 0: who asks then acts as if nothing waited. */
export function sqsBacklog(env: QueuesEnv): Backlog {
	const sqs = awsClient({ name: 'sqs', endpoint: env.AWS_ENDPOINT_URL_SQS, protocol: sqsProtocol() }, env);
	return async (queue) => {
		const QueueUrl = env[queueVariables[queue]];
		if (QueueUrl === undefined) return 0;
		const input = { QueueUrl, AttributeNames: ['ApproximateNumberOfMessages' as const] };
		const answer = await sqs.send(getQueueAttributes, input, TRY_MS);
		return answer.answer === 'ok' ? Number(answer.output.Attributes?.ApproximateNumberOfMessages ?? 0) : 0;
	};
}
