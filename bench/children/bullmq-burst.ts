import { bullmq, newPost } from '../peers/bullmq.ts';
import { BATCH, type BurstResult, type BurstTask, FUNCTIONS } from '../tasks.ts';
import { measured, report, task } from './report.ts';

const { count, warm_up, target, redis_port } = task<BurstTask & { readonly redis_port: number }>();

/** Fills a queue with its posts first, then measures from the start of the worker to the last post. */
async function deliverAll(howMany: number): Promise<BurstResult> {
	const { url, ca_pem, secret } = target;
	const peer = bullmq({ redis_port, concurrency: BATCH * FUNCTIONS, url, ca_pem, secret });
	await peer.add(Array.from({ length: howMany }, newPost));
	return measured(
		() => peer.start(),
		() => peer.done() >= howMany,
	);
}

await deliverAll(warm_up);
report(await deliverAll(count));
