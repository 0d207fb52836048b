import { type DynamoStandIn, type SqsStandIn, startDynamo, startSqs } from '../test/support/aws/stand-ins.ts';
import { runChild } from './child.ts';
import { startReceiver, type TlsReceiver } from './receiver.ts';
import { lacksPeer, type Redis, startRedis } from './redis.ts';
import { median, ms, quantile, type Row, ratioOf, type Section, type Size } from './row.ts';
import {
	type BurstResult,
	type BurstTask,
	type PacedResult,
	type PacedTask,
	SECRET,
	type Target,
	type Where,
} from './tasks.ts';

type Stage = {
	readonly receiver: TlsReceiver;
	readonly target: Target;
	readonly stand_ins: Where;
	/** Null if BullMQ cannot run, with the reason. */
	readonly redis: Redis | null;
	readonly lacks: string;
};
const MEMORY: Where = { where: 'memory' };

const sizes = {
	full: { count: 2000, warm_up: 600, repetitions: 5, per_second: 50, seconds: 15 },
	quick: { count: 20, warm_up: 5, repetitions: 1, per_second: 20, seconds: 1 },
} as const satisfies Record<Size, object>;

/** Compares deliveries to a receiver over TLS: our whole path, and BullMQ, which only signs and posts. */
export const deliveries: Section = {
	name: 'deliveries',
	async run(size) {
		const receiver = await startReceiver();
		const dynamo: DynamoStandIn = await startDynamo();
		const sqs: SqsStandIn = await startSqs();
		const redis = await startRedis();
		const host = `localhost:${receiver.port}`;
		const target = { url: `https://${host}/well`, host, ca_pem: receiver.certificates.ca_pem, secret: SECRET };
		const { TABLE_NAME: table } = await dynamo.newTable();
		const stand_ins: Where = { where: 'stand-ins', dynamodb_url: dynamo.endpoint, sqs_url: sqs.endpoint, table };
		try {
			const stage = { receiver, target, stand_ins, redis, lacks: (await lacksPeer()) ?? '' };
			return [...(await bursts(stage, size)), ...(await paced(stage, size))];
		} finally {
			await Promise.all([redis?.stop(), sqs.stop(), dynamo.stop(), receiver.close()]);
		}
	},
};

type Burst = { readonly per_second: number; readonly cpu_us: number };

async function bursts({ receiver, target, stand_ins, redis, lacks }: Stage, size: Size): Promise<readonly Row[]> {
	const { count, warm_up, repetitions } = sizes[size];
	const task: BurstTask = { count, warm_up, target };
	const once = async (script: string, extra: object): Promise<Burst> => {
		receiver.clear();
		const { seconds, cpu_us } = await runChild<BurstResult>(script, { ...task, ...extra });
		if (receiver.arrivals.size !== warm_up + count) throw new Error(`${script}: ${receiver.arrivals.size} arrived`);
		return { per_second: count / seconds, cpu_us: cpu_us / count };
	};
	const memory: Burst[] = [];
	const real: Burst[] = [];
	const peer: Burst[] = [];
	// Run them in turn, so that other load on the machine affects all of them alike.
	for (let n = 0; n < repetitions; n += 1) {
		memory.push(await once('burst', MEMORY));
		real.push(await once('burst', stand_ins));
		if (redis !== null) peer.push(await once('bullmq-burst', { redis_port: redis.port }));
	}
	const speed = (all: readonly Burst[]): number => median(all.map(({ per_second }) => per_second));
	const cpu = (all: readonly Burst[]): number => median(all.map(({ cpu_us }) => cpu_us));
	const against = (ours: number, theirs: number): string => (redis === null ? '' : ratioOf(ours, theirs));
	const perSecond = (all: readonly Burst[]): string => `${speed(all).toFixed(0)}/s`;
	return [
		{
			what: 'deliveries a second, BullMQ (sign and POST alone)',
			goal: '',
			measured: redis === null ? lacks : `${perSecond(peer)}, ${cpu(peer).toFixed(0)} µs of its processor each`,
			ratio: redis === null ? '' : '1.00',
		},
		{
			what: 'deliveries a second, whole path, fast store',
			goal: '>= 800/s',
			measured: perSecond(memory),
			ratio: against(speed(memory), speed(peer)),
		},
		{
			what: 'deliveries a second, whole path, stand-ins',
			goal: 'ratio >= 0.5',
			measured: perSecond(real),
			ratio: against(speed(real), speed(peer)),
		},
		{
			what: "deliver function's own processor time, fast store",
			goal: 'ratio <= 1',
			measured: `${cpu(memory).toFixed(0)} µs`,
			ratio: against(cpu(memory), cpu(peer)),
		},
		{
			what: "deliver function's own processor time, stand-ins",
			goal: 'ratio <= 1',
			measured: `${cpu(real).toFixed(0)} µs`,
			ratio: against(cpu(real), cpu(peer)),
		},
	];
}

/** Milliseconds from before the commit to the POST's last byte; infinite for a POST that never arrived. */
export async function latencies(receiver: TlsReceiver, script: string, task: object): Promise<readonly number[]> {
	receiver.clear();
	const { committed } = await runChild<PacedResult>(script, task);
	return Object.entries(committed).map(([id, at_ms]) => {
		const arrived_ms = receiver.arrivals.get(id);
		return arrived_ms === undefined ? Number.POSITIVE_INFINITY : arrived_ms - at_ms;
	});
}

async function paced({ receiver, target, stand_ins, redis, lacks }: Stage, size: Size): Promise<readonly Row[]> {
	const { per_second, seconds } = sizes[size];
	const task: PacedTask = { per_second, seconds, target, dead: null };
	const ours = await latencies(receiver, 'paced', { ...task, ...stand_ins });
	const fast = await latencies(receiver, 'paced', { ...task, ...MEMORY });
	const peer = redis === null ? null : await latencies(receiver, 'bullmq-paced', { ...task, redis_port: redis.port });
	const both = (all: readonly number[]): string => `p50 ${ms(median(all))}, p99 ${ms(quantile(all, 0.99))}`;
	const ratio = (all: readonly number[]): string =>
		peer === null ? '' : `${ratioOf(median(all), median(peer))}, ${ratioOf(quantile(all, 0.99), quantile(peer, 0.99))}`;
	const what = `commit to POST received, ${per_second}/s`;
	return [
		{
			what: `${what}, BullMQ`,
			goal: '',
			measured: peer === null ? lacks : both(peer),
			ratio: peer === null ? '' : '1.00',
		},
		{ what: `${what}, stand-ins`, goal: 'ratios <= 2', measured: both(ours), ratio: ratio(ours) },
		{ what: `${what}, fast store`, goal: '', measured: both(fast), ratio: ratio(fast) },
	];
}
