import type { BurstTask, Where } from '../tasks.ts';
import { report, task } from './report.ts';
import { deliveryWorld } from './world.ts';

// Ours, as fast as it goes: from the queue to the attempt's record in the store.

const { count, warm_up, target, ...where } = task<BurstTask & Where>();
const world = await deliveryWorld(where, target);
const endpoint = await world.endpoint(target.url);

/** Committed, ten at a time: the store is not what is measured here. */
async function prepared(howMany: number) {
	const messages: Awaited<ReturnType<typeof world.commitEvent>>['messages'][number][] = [];
	while (messages.length < howMany) {
		const some = Math.min(10, howMany - messages.length);
		const committed = await Promise.all(Array.from({ length: some }, () => world.commitEvent(endpoint)));
		messages.push(...committed.flatMap((each) => each.messages));
	}
	return messages;
}

/** Sends them and waits until each is worked off: posted, and its record written. */
async function deliverAll(messages: Awaited<ReturnType<typeof prepared>>): Promise<void> {
	const goal = world.handled() + messages.length;
	await world.queues.send('deliveries', messages);
	while (world.handled() < goal) await new Promise((resolve) => setTimeout(resolve, 5));
}

world.start();
await deliverAll(await prepared(warm_up));
const messages = await prepared(count);
const cpu = process.cpuUsage();
const started = performance.now();
await deliverAll(messages);
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(cpu);
report({ seconds, cpu_us: user + system });
