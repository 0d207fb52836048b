import { bullmq, newPost } from '../peers/bullmq.ts';
import { nowMs } from '../receiver.ts';
import { BATCH, FUNCTIONS, type PacedTask, WARM_UP } from '../tasks.ts';
import { reportPaced, task } from './report.ts';

const { target, redis_port, ...given } = task<PacedTask & { readonly redis_port: number }>();
const { url, ca_pem, secret } = target;
const peer = bullmq({ redis_port, concurrency: BATCH * FUNCTIONS, url, ca_pem, secret });
peer.start();
await peer.add(Array.from({ length: WARM_UP }, newPost));
await reportPaced(given, (committed) => {
	const post = newPost();
	committed[post.id] = nowMs();
	void peer.add([post]);
});
