import type { BurstTask, Where } from '../tasks.ts';
import { measured, report, task } from './report.ts';
import { deliveryWorld } from './world.ts';

// Our delivery at full speed: from a full queue to the last attempt's record in the store.

const { count, warm_up, target, ...where } = task<BurstTask & Where>();
const world = await deliveryWorld(where, target);
const endpoint = await world.endpoint(target.url);

/** Commit ten at a time, because this does not measure the store. */
async function prepared(howMany: number) {
	const messages: Awaited<ReturnType<typeof world.commitEvent>>['messages'][number][] = [];
	while (messages.length < howMany) {
		const some = Math.min(10, howMany - messages.length);
		const committed = await Promise.all(Array.from({ length: some }, () => world.commitEvent(endpoint)));
		messages.push(...committed.flatMap((each) => each.messages));
	}
	return messages;
}

// Warm up, as the peer does, but not through the queue, which must be full when the functions start.
await world.handle(await prepared(warm_up));
const messages = await prepared(count);
// Send a hundred at a time, because the count would miss messages that SQS does not accept at once.
for (let at = 0; at < count; at += 100) await world.queues.send('deliveries', messages.slice(at, at + 100));
const goal = world.handled() + count;
const result = await measured(
	() => world.start(),
	() => world.handled() >= goal,
);
report(result);
