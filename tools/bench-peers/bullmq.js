import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:https';
import { Queue, Worker } from 'bullmq';
import { measured, report, task } from '../bench/children/report.ts';
import { BATCH, FUNCTIONS } from '../bench/tasks.ts';

// The peer of our deliveries: BullMQ on Redis, which only signs and posts. It keeps no record of attempts, vets no addresses
// and claims nothing in a database. Fills a queue with its posts first, then measures from the start of the worker to the
// last post.

const { count, warm_up, target, redis_port } = task();
const connection = { host: '127.0.0.1', port: redis_port, maxRetriesPerRequest: null };
const agent = new Agent({ keepAlive: true, ca: target.ca_pem });

/** An event like ours. */
function newPost() {
	const id = randomUUID();
	const data = { id, workspace_id: randomUUID(), status: 'completed', duration_seconds: 42 };
	return { id, body: JSON.stringify({ id, event: 'call.completed', created_at: new Date().toISOString(), data }) };
}

function post({ id, body }) {
	const { promise, resolve, reject } = Promise.withResolvers();
	const t = Math.floor(Date.now() / 1000);
	const v1 = createHmac('sha256', target.secret).update(`${t}.${body}`).digest('hex');
	const headers = {
		'content-type': 'application/json',
		'content-length': Buffer.byteLength(body),
		'webhook-id': id,
		'service-signature': `t=${t},v1=${v1}`,
	};
	const sent = request(target.url, { method: 'POST', agent, headers }, (response) => {
		response.resume().on('end', () => (response.statusCode === 204 ? resolve() : reject(new Error('refused'))));
	});
	sent.on('error', reject).end(body);
	return promise;
}

async function deliverAll(posts) {
	const name = randomUUID();
	const queue = new Queue(name, { connection });
	let done = 0;
	const concurrency = BATCH * FUNCTIONS;
	const worker = new Worker(name, ({ data }) => post(data), { connection, concurrency, autorun: false });
	worker.on('completed', () => {
		done += 1;
	});
	await queue.addBulk(posts.map((data) => ({ name: 'post', data, opts: { removeOnComplete: true } })));
	return measured(
		() => void worker.run(),
		() => done >= posts.length,
	);
}

await deliverAll(Array.from({ length: warm_up }, newPost));
report(await deliverAll(Array.from({ length: count }, newPost)));
