import { latencies } from './deliveries.ts';
import { startReceiver } from './receiver.ts';
import { ms, quantile, ratioOf, type Section } from './row.ts';
import { type PacedTask, SECRET } from './tasks.ts';

const sizes = {
	full: { per_second: 50, seconds: 40, waiting: 10_000 },
	quick: { per_second: 20, seconds: 1, waiting: 50 },
} as const;

/**
 * Measures a healthy receiver's latency, with and without another receiver that never answers and has thousands of waiting
 * deliveries.
 */
export const noisyNeighbour: Section = {
	name: 'noisy-neighbour',
	async run(size) {
		const { per_second, seconds, waiting } = sizes[size];
		const receiver = await startReceiver();
		try {
			const host = `localhost:${receiver.port}`;
			const target = { url: `https://${host}/well`, host, ca_pem: receiver.certificates.ca_pem, secret: SECRET };
			const task: PacedTask = { per_second, seconds, target, dead: null };
			const dead = { url: `https://${host}/hangs`, waiting };
			const alone = quantile(await latencies(receiver, 'paced', { ...task, where: 'memory' }), 0.99);
			const beside = quantile(await latencies(receiver, 'paced', { ...task, dead, where: 'memory' }), 0.99);
			return [
				{
					what: `p99 of a healthy receiver beside a dead one with ${waiting} waiting`,
					goal: 'ratio <= 1.2',
					measured: `${ms(beside)} (alone ${ms(alone)})`,
					ratio: ratioOf(beside, alone),
				},
			];
		} finally {
			await receiver.close();
		}
	},
};
