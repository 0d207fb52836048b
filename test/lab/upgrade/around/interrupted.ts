import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod/mini';

/** How a stack left its calls when it ended. */
export type Ending = {
	readonly ended_ms: number;
	/** The ids of calls whose timer waits in a queue. The next stack continues these calls within seconds. */
	readonly timed: ReadonlySet<string>;
};

const Row = z.object({ body: z.string(), visibility_deadline: z.nullish(z.number()) });
const Timer = z.object({ call_id: z.string(), at: z.nullable(z.string()) });

/**
 * Reads the queues of a stack that has ended. There are two reasons why a call may have no timer there. Either the stack ended
 * after a function had committed the call and before the function had sent the messages. Or the stack ended while a function
 * handled the timer, so that the message comes back only after three minutes. In both cases, the sweep finds the call when its
 * set-up time is over.
 */
export function endingOf(stateDir: string, ended_ms: number): Ending {
	const database = new DatabaseSync(join(stateDir, 'queues/fauxqs.db'), { readOnly: true });
	const rows = z.array(Row).parse(database.prepare('SELECT body, visibility_deadline FROM sqs_messages').all());
	database.close();
	const waiting = rows.filter(({ visibility_deadline }) => (visibility_deadline ?? 0) <= ended_ms);
	const timers = waiting.flatMap(({ body }) => Timer.safeParse(JSON.parse(body)).data ?? []);
	return { ended_ms, timed: new Set(timers.map(({ call_id }) => call_id)) };
}

/** Whether a stack ended while a function worked on the call, so that the call may be set up too late. */
export const wasInterrupted = (endings: readonly Ending[], { id, created_at }: Interrupted): boolean =>
	endings.some(({ ended_ms, timed }) => Date.parse(created_at) <= ended_ms && !timed.has(id));
type Interrupted = { readonly id: string; readonly created_at: string };
