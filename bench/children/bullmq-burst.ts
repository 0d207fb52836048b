import { bullmq, newPost } from '../peers/bullmq.ts';
import { BATCH, type BurstTask, FUNCTIONS } from '../tasks.ts';
import { report, task } from './report.ts';

const { count, warm_up, target, redis_port } = task<BurstTask & { readonly redis_port: number }>();

/** Fills a queue with its posts first, then measures from the start of the worker to the last post. */
async function deliverAll(howMany: number): Promise<{ readonly seconds: number; readonly cpu_us: number }> {
	const { url, ca_pem, secret } = target;
	const peer = bullmq({ redis_port, concurrency: BATCH * FUNCTIONS, url, ca_pem, secret });
	await peer.add(Array.from({ length: howMany }, newPost));
	const cpu = process.cpuUsage();
	const started = performance.now();
	peer.start();
	while (peer.done() < howMany) await new Promise((resolve) => setTimeout(resolve, 5));
	const seconds = (performance.now() - started) / 1000;
	const { user, system } = process.cpuUsage(cpu);
	return { seconds, cpu_us: user + system };
}

await deliverAll(warm_up);
report(await deliverAll(count));
