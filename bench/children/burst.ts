import type { BurstTask, Where } from '../tasks.ts';
import { report, task } from './report.ts';
import { deliveryWorld } from './world.ts';

// Ours, as fast as it goes: from the queue to the attempt's record in the store.

const { count, warm_up, target, ...where } = task<BurstTask & Where>();
const world = await deliveryWorld(where, target);
const endpoint = await world.endpoint(target.url);

async function prepared(howMany: number) {
	const committed = await Promise.all(Array.from({ length: howMany }, () => world.commitEvent(endpoint)));
	return committed.flatMap(({ messages }) => messages);
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
