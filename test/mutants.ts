import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Mutant, timesIn } from './mutants/mutant.ts';
import { tables } from './mutants/tables.ts';

// npm run mutants [-- --only word]
// Takes away one guard at a time, in a copy of the project, and runs the test that is to notice. It fails when one does
// not, or when a guard's text is not found once: then the table has to follow the code.

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const mutants = tables.filter(({ guard, file, test }) => `${guard} ${file} ${test}`.includes(values.only));

/** The files that git knows, as they are now, and the packages. */
function copyOfProject(): string {
	const directory = mkdtempSync(join(tmpdir(), 'call-back-mutants-'));
	const known = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
	for (const file of known.split('\n').filter((name) => name !== '' && existsSync(name))) {
		mkdirSync(dirname(join(directory, file)), { recursive: true });
		cpSync(file, join(directory, file));
	}
	symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
	return directory;
}

/** One run of tests; a mutant may go round in circles. */
const MOST_MS = 5 * 60_000;

type Result = { readonly fullName: string; readonly status: string };
/** Names of the tests that failed; a file that could not be loaded counts as one. */
async function failures(directory: string, tests: readonly string[]): Promise<readonly string[]> {
	const report = join(directory, 'report.json');
	rmSync(report, { force: true });
	const args = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
	// Without a guard a connection or a timer may never end: the verdict does not wait for it.
	const how = ['--forceExit', '--json', `--outputFile=${report}`, '--runTestsByPath', ...tests];
	const child = spawn(process.execPath, [...args, ...how], { cwd: directory, stdio: 'ignore', timeout: MOST_MS });
	await once(child, 'close');
	if (!existsSync(report)) return ['does not come to an end'];
	const { testResults }: { testResults: readonly { message: string; assertionResults: readonly Result[] }[] } =
		JSON.parse(readFileSync(report, 'utf8'));
	return testResults.flatMap(({ message, assertionResults }) => {
		const failed = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
		return assertionResults.length === 0 ? [`could not be loaded: ${message}`] : failed;
	});
}

type Verdict = { readonly killed: boolean; readonly said: string };
async function verdict(directory: string, mutant: Mutant): Promise<Verdict> {
	const { file, text, instead, test } = mutant;
	const path = join(directory, file);
	const source = readFileSync(path, 'utf8');
	const times = timesIn(source, mutant);
	if (times !== 1) return { killed: false, said: `TEXT FOUND ${times} TIMES in ${file}` };
	writeFileSync(
		path,
		source.replace(text, () => instead),
	);
	try {
		const [first, ...more] = await failures(directory, [test]);
		if (first === undefined) return { killed: false, said: `SURVIVED ${test}` };
		// A mutant that does not even load proves nothing.
		if (first.startsWith('could not be loaded')) return { killed: false, said: `NOT VALID: ${first.slice(0, 300)}` };
		return { killed: true, said: `${test}: ${first}${more.length > 0 ? ` (and ${more.length} more)` : ''}` };
	} finally {
		writeFileSync(path, source);
	}
}

/** The mutants of one test file, after it has passed without any of them. */
async function* verdicts(directory: string, test: string, watched: readonly Mutant[]) {
	const [failing] = await failures(directory, [test]);
	for (const mutant of watched) {
		const unsound = { killed: false, said: `${test} FAILS WITHOUT IT: ${failing}` };
		yield { mutant, ...(failing === undefined ? await verdict(directory, mutant) : unsound) };
	}
}

const directory = copyOfProject();
try {
	let survivors = 0;
	const started_ms = performance.now();
	for (const [test, watched] of Map.groupBy(mutants, ({ test }) => test)) {
		for await (const { mutant, killed, said } of verdicts(directory, test, watched)) {
			survivors += killed ? 0 : 1;
			console.log(`${killed ? 'killed  ' : 'ALIVE   '} ${mutant.guard} -> ${said}`);
		}
	}
	const minutes = ((performance.now() - started_ms) / 60_000).toFixed(1);
	console.log(`${mutants.length - survivors} of ${mutants.length} guards are held by a test (${minutes} min)`);
	process.exitCode = survivors === 0 ? 0 : 1;
} finally {
	rmSync(directory, { recursive: true, force: true });
}
