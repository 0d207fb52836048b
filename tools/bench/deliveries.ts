import { startDynamo } from '../../test/support/aws/stand-ins.ts';
import { runChild, startChild } from './child.ts';
import type { BurstResult, PacedResult, Task } from './children/report.ts';
import { startReceiver } from './receiver.ts';
import { startRedis } from './redis.ts';
import { median, ms, quantile, type Row, ratioOf, row, type Section, type Size } from './row.ts';

const OURS = './children/ours.ts';
const PEER = '../bench-peers/bullmq.js';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const sizes = {
	full: { count: 2000, warm_up: 600, repetitions: 5, per_second: 50, seconds: 30, waiting: 10_000 },
	quick: { count: 20, warm_up: 5, repetitions: 1, per_second: 20, seconds: 1, waiting: 50 },
} as const satisfies Record<Size, object>;
/** The first posts compile the code, and are not measured. */
const UNMEASURED = 10;

type Bursts = { readonly speed: number; readonly cpu_us: number };

/** Compares deliveries to a receiver over TLS: our whole path, and BullMQ, which only signs and posts. */
export const deliveries: Section = {
	name: 'deliveries',
	async run(size) {
		const [receiver, dynamo, redis] = [await startReceiver(), await startDynamo(), await startRedis()];
		const { per_second, seconds, repetitions, count, warm_up, waiting } = sizes[size];
		const host = `localhost:${receiver.port}`;
		const target = { url: `https://${host}/`, host, ca_pem: receiver.certificates.ca_pem, secret: SECRET };
		const stand_in = { dynamo: await dynamo.newTable() };
		const [lacks, peer] = 'lacks' in redis ? [redis.lacks, null] : [null, { redis_port: redis.port }];

		const burst = async (script: string, place: Partial<Task>): Promise<Bursts> => {
			const task: Task = { target, run: { mode: 'burst', count, warm_up }, ...place };
			receiver.arrivals.clear();
			const each = await runChild<BurstResult>(script, task);
			if (receiver.arrivals.size !== warm_up + count) throw new Error(`${script}: ${receiver.arrivals.size} arrived`);
			return { speed: count / each.seconds, cpu_us: each.cpu_us / count };
		};
		const latencies = async (script: string, place: Partial<Task>): Promise<readonly number[]> => {
			const task: Task = { target, run: { mode: 'paced', per_second, seconds }, ...place };
			const { asked_ms } = await runChild<PacedResult>(script, task);
			const all = Object.entries(asked_ms).map(([id, at_ms]) => (receiver.arrivals.get(id) ?? Number.NaN) - at_ms);
			return all.slice(UNMEASURED);
		};
		const besideDead = async (): Promise<readonly number[]> => {
			const run = { mode: 'dead', waiting } as const;
			const dead = startChild<null>(OURS, { target: { ...target, url: `https://${host}/hangs` }, run });
			await dead.result;
			return latencies(OURS, {}).finally(dead.stop);
		};
		try {
			const all: { memory: Bursts[]; stand_in: Bursts[]; peer: Bursts[] } = { memory: [], stand_in: [], peer: [] };
			// Run them in turn, so that other load on the machine affects all of them alike.
			for (let n = 0; n < repetitions; n += 1) {
				all.memory.push(await burst(OURS, {}));
				all.stand_in.push(await burst(OURS, stand_in));
				if (peer !== null) all.peer.push(await burst(PEER, peer));
			}
			const [ours, theirs] = [await latencies(OURS, {}), peer && (await latencies(PEER, peer))];
			const [us, them, beside] = [shares(ours), theirs && shares(theirs), shares(await besideDead())];
			return [
				...burstRows(all, lacks),
				...percentiles.map((name) =>
					row(
						`commit to POST received, ${name}, store in memory`,
						'ratio <= 1',
						`${ms(us[name])} (${them === null ? lacks : `BullMQ ${ms(them[name])}`})`,
						them === null ? '' : ratioOf(us[name], them[name]),
					),
				),
				row(
					`p99 of a healthy endpoint beside a dead one with ${waiting} waiting`,
					'ratio <= 1.5',
					`${ms(beside.p99)} (alone ${ms(us.p99)})`,
					ratioOf(beside.p99, us.p99),
				),
			];
		} finally {
			await Promise.all(['lacks' in redis ? null : redis.stop(), dynamo.stop(), receiver.close()]);
		}
	},
};

const percentiles = ['p50', 'p99'] as const;
const shares = (all: readonly number[]) => ({ p50: quantile(all, 0.5), p99: quantile(all, 0.99) });

/** `lacks`: why there is no peer. */
function burstRows(
	all: Readonly<Record<'memory' | 'stand_in' | 'peer', readonly Bursts[]>>,
	lacks: string | null,
): readonly Row[] {
	const speed = (of: keyof typeof all): number => median(all[of].map((each) => each.speed));
	const cpu = (of: keyof typeof all): number => median(all[of].map((each) => each.cpu_us));
	const against = (ours: number, theirs: number): string => (lacks === null ? ratioOf(ours, theirs) : '');
	const rate = (of: keyof typeof all): string => `${speed(of).toFixed(0)}/s`;
	const each = (of: keyof typeof all): string => `${cpu(of).toFixed(0)} µs of its processor each`;
	return [
		row('deliveries a second, BullMQ (sign and POST alone)', '', lacks ?? `${rate('peer')}, ${each('peer')}`),
		row(
			'the same, our whole path, store in memory',
			'ratio >= 1',
			rate('memory'),
			against(speed('memory'), speed('peer')),
		),
		row('the deliver function, store in memory', 'ratio <= 1', each('memory'), against(cpu('memory'), cpu('peer'))),
		row('the deliver function, stand-in', '<= 900 µs', each('stand_in'), against(cpu('stand_in'), cpu('peer'))),
	];
}
