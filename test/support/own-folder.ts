import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MEMORY } from './temporary.ts';

// Runs a program with its own folder for all temporary files. However the program ends, even by Ctrl-C, none of its processes and
// no folder remain. If this process itself is killed, the next run removes what remains.

/** How long processes may take to end after a signal. */
const GRACE_MS = 5000;
/** How long the remains of a killed run stay before another run removes them. */
const LEFT_MS = 3_600_000;
const hasProc = existsSync('/proc/self/environ');

const foldersOf = (name: string): readonly string[] => [join(tmpdir(), name), join(MEMORY, name)];

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
	try {
		return process.kill(pid, name);
	} catch {
		// The process has ended.
		return false;
	}
}

/** The processes of a run, even those that left its process group. They are found by the run's name in their environment. */
function inEnvironment(run: string): readonly number[] {
	return readdirSync('/proc')
		.map(Number)
		.filter((pid) => {
			try {
				return pid > 0 && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`TEST_RUN=${run}\0`);
			} catch {
				// The process has ended, or belongs to another user.
				return false;
			}
		});
}

/** Ends the remaining processes of a run. On systems without /proc, these are the processes of its process group. */
async function clear(run: string, group: number | undefined): Promise<void> {
	const inGroup = group !== undefined && signal(-group, 0) ? [-group] : [];
	const left = () => (hasProc ? inEnvironment(run) : inGroup.filter((each) => signal(each, 0)));
	for (const name of ['SIGTERM', 'SIGKILL'] as const) {
		for (const each of left()) signal(each, name);
		for (const untilMs = Date.now() + GRACE_MS; left().length > 0 && Date.now() < untilMs; ) await pause(50);
	}
	for (const folder of foldersOf(run)) rmSync(folder, { recursive: true, force: true });
}

/**
 * Whether this user started the run to which a folder belongs, and the run was killed long ago. Only old folders count: another
 * container may use the same parent folder, and the processes of its runs are not visible here.
 */
function isOfKilledRun(parent: string, name: string): boolean {
	const [, pid] = /^call-back-tests-(\d+)-/.exec(name) ?? [];
	const facts = pid === undefined ? undefined : statSync(join(parent, name), { throwIfNoEntry: false });
	if (facts === undefined || facts.uid !== process.getuid?.() || Date.now() - facts.mtimeMs < LEFT_MS) return false;
	return !signal(Number(pid), 0);
}

/** The names of runs that were killed before they could clean up. */
function killedRuns(): readonly string[] {
	const parents = [tmpdir(), MEMORY].filter((parent) => existsSync(parent));
	const names = parents.flatMap((parent) => readdirSync(parent).filter((name) => isOfKilledRun(parent, name)));
	return [...new Set(names)];
}

/**
 * Runs Node.js with these arguments. This process then ends with the program's exit code, or, if it got a signal, with 128
 * plus the signal's number. `readsKeys`: the program stays in the terminal's process group, because only this group may read
 * keys.
 */
export async function runInOwnFolder(args: readonly string[], { readsKeys = false } = {}): Promise<void> {
	for (const run of killedRuns()) await clear(run, undefined);
	const folder = mkdtempSync(join(tmpdir(), `call-back-tests-${process.pid}-`));
	const name = basename(folder);
	if (existsSync(MEMORY)) mkdirSync(join(MEMORY, name));
	const program = spawn(process.execPath, args, {
		stdio: 'inherit',
		// The program gets its own process group, so that one signal reaches it and all processes that it started.
		detached: !readsKeys,
		env: { ...process.env, TMPDIR: folder, TEST_RUN: name },
	});
	let stopped: NodeJS.Signals | null = null;
	for (const each of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(each, () => {
			stopped = each;
			signal(-(program.pid ?? 0), 'SIGTERM');
		});
	}
	program.once('exit', (code) => {
		void clear(name, program.pid).then(() =>
			process.exit(stopped === null ? (code ?? 1) : 128 + constants.signals[stopped]),
		);
	});
}
