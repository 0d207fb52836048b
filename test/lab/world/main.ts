import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { mutants } from './mutants.ts';
import type { Report } from './run.ts';

// npm run lab -- world --seed 7 --runs 1000
// npm run lab -- world --seed 2 --every 4 --runs 1000 plays only floods (see play.ts).
// npm run lab -- world --mutants
// npm run lab -- world --mutant 'dial twice on redelivery'

const { values } = parseArgs({
	options: {
		seed: { type: 'string', default: '1' },
		runs: { type: 'string', default: '1000' },
		every: { type: 'string', default: '1' },
		workers: { type: 'string', default: String(availableParallelism()) },
		/** Plays worlds with one mutant, and shrinks the first world that breaks a rule. */
		mutant: { type: 'string', default: '' },
		mutants: { type: 'boolean', default: false },
	},
});
const run = promisify(execFile);
const LARGEST_REPORT = 16 * 1024 * 1024;

/** Plays the seeds `from`, `from + every`, and so on, in a separate process. */
async function played(from: number, runs: number, every: number, mutant: string, shrinks = true): Promise<Report> {
	const script = join(import.meta.dirname, 'run.ts');
	const args = [
		'--disable-warning=ExperimentalWarning',
		script,
		String(from),
		String(runs),
		String(every),
		mutant,
		String(shrinks),
	];
	const { stdout } = await run(process.execPath, args, { maxBuffer: LARGEST_REPORT });
	return JSON.parse(stdout) as Report;
}

async function worlds(seed: number, runs: number, workers: number, every: number): Promise<boolean> {
	const shares = Array.from({ length: Math.min(workers, runs) }, (_, n) =>
		played(seed + n * every, Math.floor(runs / workers) + Number(n < runs % workers), workers * every, values.mutant),
	);
	const reports = await Promise.all(shares);
	const sum = (of: (report: Report) => number): number => reports.reduce((total, report) => total + of(report), 0);
	const counted = (of: (report: Report) => Readonly<Record<string, number>>) => {
		const counts = new Map<string, number>();
		for (const report of reports)
			for (const [name, count] of Object.entries(of(report))) counts.set(name, (counts.get(name) ?? 0) + count);
		return [...counts].sort(([, a], [, b]) => b - a);
	};
	const worldsPlayed = sum((report) => report.played);
	const cpuMs = sum((report) => report.cpu_ms);
	say(
		`${worldsPlayed} worlds, ${sum(({ steps }) => steps)} port calls, ${(cpuMs / worldsPlayed).toFixed(1)} ms of processor each`,
	);
	for (const [fault, count] of counted(({ faults }) => faults)) say(`${String(count).padStart(9)}  ${fault}`);
	for (const [host, count] of counted(({ requests }) => requests))
		say(`${String(count).padStart(9)}  requests to ${host}`);
	for (const { failed } of reports) {
		if (failed === null) continue;
		say(`\nBroken in world ${failed.seed}: ${failed.rule} (${failed.detail})`);
		for (const line of failed.story) say(`  ${line}`);
		const mutant = values.mutant === '' ? '' : ` --mutant '${values.mutant}'`;
		say(`npm run lab -- world --seed ${failed.seed} --runs 1${mutant}`);
	}
	return reports.every(({ failed }) => failed === null);
}

/** Whether the worlds detect every mutant within `runs` seeds. */
async function killMutants(seed: number, runs: number, workers: number): Promise<boolean> {
	const waiting = [...mutants];
	let survivors = 0;
	async function next(): Promise<void> {
		for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
			const { failed, played: seeds } = await played(seed, runs, 1, mutant.name, false);
			if (failed === null) survivors += 1;
			say(`| ${mutant.name} | ${failed === null ? 'survived' : seeds} | ${failed?.rule ?? ''} |`);
		}
	}
	await Promise.all(Array.from({ length: workers }, next));
	return survivors === 0;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const seed = Number(values.seed);
const runs = Number(values.runs);
const workers = Number(values.workers);
const whole = values.mutants
	? await killMutants(seed, runs, workers)
	: await worlds(seed, runs, workers, Number(values.every));
process.exitCode = whole ? 0 : 1;
