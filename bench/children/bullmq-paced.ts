import { setTimeout as wait } from 'node:timers/promises';
import { bullmq, newPost } from '../peers/bullmq.ts';
import { nowMs } from '../receiver.ts';
import { BATCH, FUNCTIONS, type PacedTask } from '../tasks.ts';
import { report, task } from './report.ts';

const { per_second, seconds, target, redis_port } = task<PacedTask & { readonly redis_port: number }>();
const LAST_MS = 1500;
const { url, ca_pem, secret } = target;
const peer = bullmq({ redis_port, concurrency: BATCH * FUNCTIONS, url, ca_pem, secret });
peer.start();
await peer.add(Array.from({ length: per_second }, newPost));
await wait(LAST_MS);

const committed: Record<string, number> = {};
const started = performance.now();
for (let n = 0; n < per_second * seconds; n += 1) {
	await wait(Math.max(0, started + (n * 1000) / per_second - performance.now()));
	const post = newPost();
	committed[post.id] = nowMs();
	void peer.add([post]);
}
await wait(LAST_MS);
report({ committed });
