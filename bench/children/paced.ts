import { nowMs } from '../receiver.ts';
import { type PacedTask, WARM_UP, type Where } from '../tasks.ts';
import { reportPaced, task } from './report.ts';
import { deliveryWorld } from './world.ts';

// Our delivery at a fixed rate, measured from the commit, optionally beside a dead receiver.

const { per_second, seconds, target, dead, ...where } = task<PacedTask & Where>();
const world = await deliveryWorld(where, target);
const endpoint = await world.endpoint(target.url);
world.start();

// The first deliveries compile the code, and are not measured.
for (let n = 0; n < WARM_UP; n += 1) {
	await world.queues.send('deliveries', (await world.commitEvent(endpoint)).messages);
}
if (dead !== null) {
	const hangs = await world.endpoint(dead.url);
	for (let n = 0; n < dead.waiting; n += 1) {
		const { messages } = await world.commitEvent(hangs);
		await world.queues.send('deliveries', messages);
	}
}
await reportPaced({ per_second, seconds }, (committed) => {
	// Measure from before the commit, as with the peer, because the change waits for the commit.
	const asked = nowMs();
	void world.commitEvent(endpoint).then(async ({ id, messages }) => {
		committed[id] = asked;
		await world.queues.send('deliveries', messages);
	});
});
