import { spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue, Worker } from 'bullmq';
import { BATCH, FUNCTIONS, measured, paced, report, task } from '../../test/lab/bench/children/report.ts';

// The other system to which the service's deliveries are compared: BullMQ on Redis, which only signs and posts. It keeps no
// record of attempts, does not check addresses, and claims nothing in a database. Redis has its default settings, but no
// persistence, which makes it as fast as possible.

const { run, target } = task();
const name = randomUUID();
const path = join(tmpdir(), `bench-${name}`);
const redis = spawn('redis-server', ['--port', '0', '--unixsocket', path, '--save', '', '--appendonly', 'no']);
redis.stdout.resume();
process.once('exit', () => redis.kill());
process.once('SIGTERM', () => process.exit());
const connection = { path, maxRetriesPerRequest: null };
const agent = new Agent({ keepAlive: true, ca: target.ca_pem });

/** An event with the same size and form as those of the service. */
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

const queue = new Queue(name, { connection });
const options = { connection, concurrency: BATCH * FUNCTIONS, autorun: false };
const add = (posts) => queue.addBulk(posts.map((data) => ({ name: 'post', data, opts: { removeOnComplete: true } })));

/** Fills a queue, starts the worker, and measures until the worker has posted everything. */
async function burst(count) {
	await add(Array.from({ length: count }, newPost));
	const { promise, resolve } = Promise.withResolvers();
	let done = 0;
	const worker = new Worker(name, ({ data }) => post(data), options);
	worker.on('completed', () => {
		done += 1;
		if (done === count) resolve();
	});
	const result = await measured(() => {
		void worker.run();
		return promise;
	});
	await worker.close();
	return result;
}

if (run.mode === 'burst') {
	await burst(run.warm_up);
	report(await burst(run.count));
} else {
	const posted = new Map();
	const worker = new Worker(name, ({ data }) => post(data).then(() => posted.get(data.id)?.()), options);
	void worker.run();
	report(
		await paced(run, async () => {
			const each = newPost();
			await new Promise((resolve) => {
				posted.set(each.id, resolve);
				void add([each]);
			});
			return each.id;
		}),
	);
}
