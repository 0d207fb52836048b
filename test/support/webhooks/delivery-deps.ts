import type { Clock } from '../../../shared/ports/clock.ts';
import type { Queues } from '../../../shared/ports/queues.ts';
import type { DeliveryMessage, QueueName } from '../../../shared/ports/registry.ts';
import type { Store } from '../../../shared/ports/store.ts';
import { disabledNoticeWrites } from '../../../shared/use-cases/leads/endpoint-notice.ts';
import type { AttemptDeps } from '../../../shared/use-cases/webhooks/attempt-delivery.ts';
import { unsealed } from './unsealed.ts';

type Given = Pick<AttemptDeps, 'sender' | 'schedule_seconds'> & {
	readonly store: Store;
	readonly clock: Clock & { readonly now_ms: number };
	/** Gets the messages to the queues of deliveries. */
	readonly keep: (queue: QueueName, message: DeliveryMessage, delay_seconds: number) => void;
};

/** What attempts and the sweep need, with queues that hand their messages to `keep`, and the dead letters. Logs nothing. */
export function deliveryDeps({ store, clock, keep, ...given }: Given) {
	const dead: DeliveryMessage[] = [];
	const queues: Queues = {
		async send(queue, messages) {
			for (const { message, delay_seconds } of messages) {
				if (!('delivery_id' in message)) continue;
				if (queue === 'dead-letters') dead.push(message);
				else keep(queue, message, delay_seconds);
			}
			return { sent: messages.length, failed: 0 };
		},
	};
	const silent = () => undefined;
	const deps: AttemptDeps = {
		...given,
		...unsealed(clock),
		store,
		queues,
		clock,
		log: { info: silent, warn: silent, error: silent },
		whenDisabled: disabledNoticeWrites,
	};
	return { dead, queues, deps };
}
