import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:https';
import { Queue, Worker } from 'bullmq';

// The peer: BullMQ on Redis, which only signs and posts. It keeps no record of attempts, vets no addresses and claims
// nothing in a database.

export type Post = { readonly id: string; readonly body: string };
type Settings = {
	readonly redis_port: number;
	readonly concurrency: number;
	readonly url: string;
	readonly ca_pem: string;
	readonly secret: string;
};

export function bullmq({ redis_port, concurrency, url, ca_pem, secret }: Settings) {
	const connection = { host: '127.0.0.1', port: redis_port, maxRetriesPerRequest: null };
	const name = randomUUID();
	const queue = new Queue<Post>(name, { connection });
	const agent = new Agent({ keepAlive: true, ca: ca_pem });
	const post = ({ id, body }: Post): Promise<void> =>
		new Promise((resolve, reject) => {
			const t = Math.floor(Date.now() / 1000);
			const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
			const headers = {
				'content-type': 'application/json',
				'content-length': Buffer.byteLength(body),
				'webhook-id': id,
				'service-signature': `t=${t},v1=${v1}`,
			};
			const sent = request(url, { method: 'POST', agent, headers }, (response) => {
				response.resume().on('end', () => (response.statusCode === 204 ? resolve() : reject(new Error('refused'))));
			});
			sent.on('error', reject).end(body);
		});
	let done = 0;
	const worker = new Worker<Post>(name, ({ data }) => post(data), { connection, concurrency, autorun: false });
	worker.on('completed', () => {
		done += 1;
	});
	return {
		add: async (posts: readonly Post[]): Promise<void> => {
			await queue.addBulk(posts.map((data) => ({ name: 'post', data, opts: { removeOnComplete: true } })));
		},
		start: () => void worker.run(),
		done: () => done,
	};
}

/** An event like ours. */
export function newPost(): Post {
	const id = randomUUID();
	const data = { id, workspace_id: randomUUID(), status: 'completed', duration_seconds: 42 };
	return { id, body: JSON.stringify({ id, event: 'call.completed', created_at: new Date().toISOString(), data }) };
}
