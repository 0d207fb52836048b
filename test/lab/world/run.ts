import { replaceAdapters } from './hook.ts';

// One process of `npm run lab -- world`. It plays its share of the seeds, and writes one line of JSON about them.

export type Report = {
	readonly played: number;
	readonly steps: number;
	readonly cpu_ms: number;
	readonly faults: Readonly<Record<string, number>>;
	/** How many requests went to each host of a provider. */
	readonly requests: Readonly<Record<string, number>>;
	/** The first world that broke a rule, shrunk. */
	readonly failed: {
		readonly seed: number;
		readonly rule: string;
		readonly detail: string;
		readonly story: readonly string[];
	} | null;
};

const [from = '0', runs = '1', every = '1', mutant = '', shrinks = 'true'] = process.argv.slice(2);
replaceAdapters(mutant === '' ? null : mutant);
const { loadFunctions } = await import('./functions.ts');
const { play } = await import('./play.ts');
const { forbidConnections } = await import('./wire.ts');
const { shrink } = await import('./shrink.ts');
await loadFunctions();
forbidConnections();
process.stdout.write(`${JSON.stringify(await playAll())}\n`);

async function playAll(): Promise<Report> {
	const faults: Record<string, number> = {};
	const requests: Record<string, number> = {};
	const before = process.cpuUsage();
	let played = 0;
	let steps = 0;
	let failed: Report['failed'] = null;
	for (let seed = Number(from); played < Number(runs) && failed === null; seed += Number(every)) {
		const ran = await play(seed);
		played += 1;
		steps += ran.steps;
		for (const [fault, count] of ran.faults) faults[fault] = (faults[fault] ?? 0) + count;
		for (const host of ran.asked_hosts) requests[host] = (requests[host] ?? 0) + 1;
		const [violation] = ran.violations;
		if (violation !== undefined) {
			const small = shrinks === 'true' ? await shrink(ran) : ran;
			const shown = small.violations.find(({ rule }) => rule === violation.rule) ?? violation;
			failed = { seed, ...shown, story: small.story };
		}
	}
	const { user, system } = process.cpuUsage(before);
	return { played, steps, cpu_ms: Math.round((user + system) / 1000), faults, requests, failed };
}
