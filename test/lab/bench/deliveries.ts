import { spawnSync } from 'node:child_process';
import { installTools } from '../../../tools/install.ts';
import { startDynamo } from '../../support/aws/stand-ins.ts';
import { runChild, startChild } from './child.ts';
import type { BurstResult, PacedResult, Task } from './children/report.ts';
import { startReceiver } from './receiver.ts';
import { median, ms, quantile, type Row, ratioOf, row, type Section, type Size } from './row.ts';

const OURS = './children/ours.ts';
const PEER = '../../../tools/bench-peers/bullmq.js';

const sizes = {
	full: { count: 2000, warm_up: 600, per_second: 50, seconds: 10, waiting: 10_000, rounds: 5 },
	quick: { count: 20, warm_up: 5, per_second: 20, seconds: 2, waiting: 50, rounds: 1 },
} as const satisfies Record<Size, object>;

type Burst = { readonly speed: number; readonly cpu_us: number };
type Latency = { readonly p50: number; readonly p99: number };
/**
 * The measurements of one round. Each round makes all of them one after another, so that other load on the machine affects all
 * of them alike.
 */
type Round = { readonly memory: Burst; readonly stand_in: Burst; readonly alone: Latency; readonly beside: Latency };
type Peer = Burst & Latency;

/** Compares deliveries to a receiver over TLS. Our side does all the work of a delivery; BullMQ only signs and posts. */
export const deliveries: Section = {
	name: 'deliveries',
	async run(size) {
		const receiver = await startReceiver();
		const lacks = lackOfPeer();
		const { target, arrivals } = receiver;
		const { count, warm_up, per_second, seconds, waiting } = sizes[size];

		const burst = async (script: string, place: Partial<Task> = {}): Promise<Burst> => {
			const task: Task = { target, run: { mode: 'burst', count, warm_up }, ...place };
			arrivals.clear();
			const each = await runChild<BurstResult>(script, task);
			if (arrivals.size !== warm_up + count) throw new Error(`${script}: ${arrivals.size} arrived`);
			return { speed: count / each.seconds, cpu_us: each.cpu_us / count };
		};
		const latency = async (script: string): Promise<Latency> => {
			const task: Task = { target, run: { mode: 'paced', per_second, seconds } };
			const { asked_ms } = await runChild<PacedResult>(script, task);
			// The posts of the first second are not counted, because the code is compiled then.
			const posts = Object.entries(asked_ms).slice(per_second);
			const each = posts.map(([id, at_ms]) => (arrivals.get(id) ?? Number.NaN) - at_ms);
			return { p50: quantile(each, 0.5), p99: quantile(each, 0.99) };
		};
		const besideDead = async (): Promise<Latency> => {
			const task: Task = { target: { ...target, url: `${target.url}dead` }, run: { mode: 'dead', waiting } };
			const dead = startChild<null>(OURS, task);
			return dead.result.then(() => latency(OURS)).finally(dead.stop);
		};
		const [rounds, peers]: [Round[], Peer[]] = [[], []];
		/** Starts a new stand-in for the measurement. A stand-in that already contains data would respond more slowly. */
		const onStandIn = async (): Promise<Burst> => {
			const dynamo = await startDynamo();
			const measured = await burst(OURS, { dynamo: await dynamo.newTable() });
			await dynamo.stop();
			return measured;
		};
		try {
			while (rounds.length < sizes[size].rounds) {
				const bursts = { memory: await burst(OURS), stand_in: await onStandIn() };
				if (lacks === null) peers.push({ ...(await burst(PEER)), ...(await latency(PEER)) });
				rounds.push({ ...bursts, alone: await latency(OURS), beside: await besideDead() });
			}
		} finally {
			await receiver.close();
		}
		return rowsOf(rounds, peers, lacks, waiting);
	},
};

/** The reason why the peer cannot be measured. Null if it can be measured. */
function lackOfPeer(): string | null {
	if (!installTools('bench-peers')) return 'BullMQ is not installed (npm ci --prefix tools/bench-peers)';
	const { error } = spawnSync('redis-server', ['--version']);
	return error === undefined ? null : 'no redis-server on this machine (Debian: apt-get install redis-server)';
}

/** The rows with the medians of all rounds. */
function rowsOf(
	rounds: readonly Round[],
	peers: readonly Peer[],
	lacks: string | null,
	waiting: number,
): readonly Row[] {
	const ours = (of: (round: Round) => number): number => median(rounds.map(of));
	const against = (what: string, goal: string, us: number, of: keyof Peer, unit: (value: number) => string): Row => {
		const them = median(peers.map((peer) => peer[of]));
		const measured = `${unit(us)} (${lacks ?? `BullMQ ${unit(them)}`})`;
		return row(what, goal, measured, lacks === null ? ratioOf(us, them) : '');
	};
	const memory = ours((round) => round.memory.cpu_us);
	const standIn = ours((round) => round.stand_in.cpu_us);
	const p50 = ours(({ alone }) => alone.p50);
	const p99 = ours(({ alone }) => alone.p99);
	const beside = ours((round) => round.beside.p99);
	const speed = ours((round) => round.memory.speed);
	const rate = (value: number): string => `${value.toFixed(0)}/s`;
	const us = (value: number): string => `${value.toFixed(0)} µs`;
	const dead = `p99 of a healthy endpoint beside a dead one with ${waiting} waiting`;
	return [
		against('deliveries a second, our whole path, store in memory', 'ratio >= 1', speed, 'speed', rate),
		against('processor time of a delivery, store in memory', 'ratio <= 1', memory, 'cpu_us', us),
		against('processor time of a delivery, stand-in', '<= 900 µs', standIn, 'cpu_us', us),
		against('commit to POST received, p50, store in memory', 'ratio <= 1', p50, 'p50', ms),
		against('commit to POST received, p99, store in memory', 'ratio <= 1', p99, 'p99', ms),
		row(dead, 'ratio <= 1.5', `${ms(beside)} (alone ${ms(p99)})`, ratioOf(beside, p99)),
	];
}
