import type { Outgoing } from '../../../shared/ports/queues.ts';
import type { Messages, QueueName } from '../../../shared/ports/registry.ts';
import { work } from './functions.ts';
import { Died, onStage, type Stage } from './stage.ts';

/**
 * SQS delivers a message again this long after a function received it, unless the function handled it. After five receives, the
 * message goes to the dead-letter queue.
 */
const HIDDEN_MS = 90_000;
const MOST_RECEIVES = 5;

/** The queues. They refuse, lose, double, delay and reorder messages. The dead-letter queue only refuses some. */
export async function send<Q extends QueueName>(queue: Q, messages: readonly Outgoing<Messages[Q]>[]) {
	const stage = onStage();
	return stage.step(`send ${queue}`, async () => {
		let failed = 0;
		const works = queue !== 'dead-letters';
		for (const { message, delay_seconds } of messages) {
			const body = JSON.stringify(message);
			stage.outputs.push(body);
			await expectCommitted(stage, message);
			if (stage.strikes('a queue refuses a message', queue)) {
				failed += 1;
				continue;
			}
			if (queue === 'dead-letters' && 'delivery_id' in message) stage.pointed.add(message.delivery_id);
			const lost = works && stage.strikes('a message is lost', queue);
			const doubled = works && !lost && stage.strikes('a message is doubled', queue);
			const copies = Number(!lost) + Number(doubled);
			for (let copy = 0; copy < copies; copy += 1) {
				const late = works && stage.strikes('a message is late', queue);
				const lateMs = late ? stage.random.below('late', 200_000) : stage.random.below('way', 30);
				arrive(stage, queue, body, delay_seconds * 1000 + lateMs);
			}
		}
		return { sent: messages.length - failed, failed };
	});
}

function arrive(stage: Stage, queue: QueueName, body: string, afterMs: number): void {
	if (queue === 'dead-letters') {
		stage.letters.push(body);
		return;
	}
	let receives = 0;
	const receive = (): void => {
		receives += 1;
		const { process, done } = stage.run(queue, () => work(queue, body));
		const again = (): void => {
			if (receives < MOST_RECEIVES) stage.time.after(HIDDEN_MS, receive);
			else stage.letters.push(body);
		};
		done.then(
			(handled) => (handled && !process.dead ? undefined : again()),
			(error: unknown) => {
				if (!(error instanceof Died)) stage.broken('a worker answers', String(error));
				again();
			},
		);
	};
	stage.time.after(afterMs, receive);
}

/**
 * Checks that the delivery or the leg that a message names is in the table when the message is sent. The timer of a call is an
 * exception: a timer that comes before the call is written finds no call and does nothing.
 */
async function expectCommitted(stage: Stage, message: object): Promise<void> {
	const {
		delivery_id,
		generation = 0,
		call_id,
		leg_id,
	} = message as {
		delivery_id?: string;
		generation?: number;
		call_id?: string;
		leg_id?: string;
	};
	if (delivery_id !== undefined) {
		const delivery = await stage.truth.get('delivery', { id: delivery_id });
		if (delivery === null || delivery.generation < generation)
			stage.broken('nothing is sent before its commit', `delivery ${delivery_id} of generation ${generation}`);
	}
	if (call_id !== undefined && leg_id !== undefined) {
		const call = await stage.truth.get('call', { id: call_id });
		const known = call?.legs.some(({ id }) => id === leg_id);
		if (!known) stage.broken('nothing is sent before its commit', `leg ${leg_id} of ${call_id}`);
	}
}
