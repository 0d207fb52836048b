import { startDynamo } from '../../test/support/aws/stand-ins.ts';
import { runChild } from './child.ts';
import { startReceiver } from './receiver.ts';
import { lacksPeer, startRedis } from './redis.ts';
import { median, type Row, ratioOf, type Section, type Size } from './row.ts';
import { type BurstResult, type BurstTask, SECRET, type Where } from './tasks.ts';

const OURS = './children/burst.ts';
const PEER = '../tools/bench-peers/bullmq.js';

const sizes = {
	full: { count: 2000, warm_up: 600, repetitions: 5 },
	quick: { count: 20, warm_up: 5, repetitions: 1 },
} as const satisfies Record<Size, object>;

type Burst = { readonly per_second: number; readonly cpu_us: number };
const speed = (all: readonly Burst[]): number => median(all.map(({ per_second }) => per_second));
const cpu = (all: readonly Burst[]): number => median(all.map(({ cpu_us }) => cpu_us));

/** Compares deliveries to a receiver over TLS: our whole path, and BullMQ, which only signs and posts. */
export const deliveries: Section = {
	name: 'deliveries',
	async run(size) {
		const { count, warm_up, repetitions } = sizes[size];
		const [receiver, dynamo, redis] = [await startReceiver(), await startDynamo(), await startRedis()];
		const host = `localhost:${receiver.port}`;
		const target = { url: `https://${host}/`, host, ca_pem: receiver.certificates.ca_pem, secret: SECRET };
		const { TABLE_NAME: table } = await dynamo.newTable();
		const task: BurstTask = { count, warm_up, target };
		const once = async (script: string, extra: Where | { readonly redis_port: number }): Promise<Burst> => {
			receiver.arrivals.clear();
			const { seconds, cpu_us } = await runChild<BurstResult>(script, { ...task, ...extra });
			if (receiver.arrivals.size !== warm_up + count) throw new Error(`${script}: ${receiver.arrivals.size} arrived`);
			return { per_second: count / seconds, cpu_us: cpu_us / count };
		};
		const memory: Burst[] = [];
		const stand_in: Burst[] = [];
		const peer: Burst[] = [];
		try {
			// Run them in turn, so that other load on the machine affects all of them alike.
			for (let n = 0; n < repetitions; n += 1) {
				memory.push(await once(OURS, { where: 'memory' }));
				stand_in.push(await once(OURS, { where: 'stand-in', dynamodb_url: dynamo.endpoint, table }));
				if (redis !== null) peer.push(await once(PEER, { redis_port: redis.port }));
			}
			return rows(memory, stand_in, redis === null ? await lacksPeer() : null, peer);
		} finally {
			await Promise.all([redis?.stop(), dynamo.stop(), receiver.close()]);
		}
	},
};

/** `lacks`: why there is no peer. */
function rows(
	memory: readonly Burst[],
	stand_in: readonly Burst[],
	lacks: string | null,
	peer: readonly Burst[],
): readonly Row[] {
	const against = (ours: number, theirs: number): string => (lacks === null ? ratioOf(ours, theirs) : '');
	const row = (what: string, goal: string, measured: string, ratio: string): Row => ({ what, goal, measured, ratio });
	const perSecond = (all: readonly Burst[]): string => `${speed(all).toFixed(0)}/s`;
	const each = (all: readonly Burst[]): string => `${cpu(all).toFixed(0)} µs`;
	return [
		row(
			'deliveries a second, BullMQ (sign and POST alone)',
			'',
			lacks ?? `${perSecond(peer)}, ${each(peer)} of its processor each`,
			lacks === null ? '1.00' : '',
		),
		row(
			'deliveries a second, whole path, store in memory',
			'ratio >= 1',
			perSecond(memory),
			against(speed(memory), speed(peer)),
		),
		row(
			"deliver function's own processor time, store in memory",
			'ratio <= 1',
			each(memory),
			against(cpu(memory), cpu(peer)),
		),
		row(
			"deliver function's own processor time, stand-in",
			'<= 900 µs',
			each(stand_in),
			against(cpu(stand_in), cpu(peer)),
		),
	];
}
