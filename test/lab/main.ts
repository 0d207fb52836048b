import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { installTools } from '../../tools/install.ts';
import { type LongRun, longRuns } from './runs.ts';

// `npm run lab` lists the long runs; `npm run lab -- <name> [options]` runs one.

const root = join(import.meta.dirname, '../..');

function list(): void {
	for (const [name, { what, takes, needs }] of Object.entries(longRuns)) {
		console.log(`${name}\n  ${what}\n  ${takes}${needs === undefined ? '' : `; needs ${needs}`}\n`);
	}
	console.log('To run one: npm run lab -- <name> [its options]');
}

function start({ node, installs }: LongRun, options: readonly string[]): void {
	if (installs !== undefined && !installTools(installs)) {
		console.log(`skipped: the packages of tools/${installs} cannot be installed`);
		return;
	}
	const child = spawn(process.execPath, [...node, ...options], { cwd: root, stdio: 'inherit' });
	// The terminal sends Ctrl-C to the run, too: it ends in its own order.
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
	child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
}

const [name, ...options] = process.argv.slice(2);
const longRun = Object.entries(longRuns).find(([each]) => each === name)?.[1];
if (name === undefined) list();
else if (longRun === undefined) {
	console.error(`no long run is called ${name}; use one of ${Object.keys(longRuns).join(', ')}`);
	process.exitCode = 2;
} else start(longRun, options);
