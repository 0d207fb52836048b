// Runs a function in its own process: takes batches of events, and reports the processor time of each batch.
import { createRequire } from 'node:module';

const { handler } = createRequire(import.meta.url)(process.argv[2]);
async function answer({ events }) {
	const before = process.cpuUsage();
	const statuses = [];
	for (const event of events) {
		const { statusCode } = await handler(event, { getRemainingTimeInMillis: () => 10_000 });
		statuses.push(statusCode);
	}
	const { user, system } = process.cpuUsage(before);
	process.send({ cpu_us: user + system, statuses });
}

process.on('message', (task) => void answer(task));
