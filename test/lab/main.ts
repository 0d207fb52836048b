import { join } from 'node:path';
import { installTools } from '../../tools/install.ts';
import { runInOwnFolder } from '../support/own-folder.ts';
import { type LongRun, longRuns } from './runs.ts';

// `npm run lab` lists the long runs, and `npm run lab -- <name> [options]` runs one. With `--help`, it shows what the run does.

function show(name: string, { what, takes, needs }: LongRun): void {
	console.log(`${name}\n  ${what}\n  ${takes}${needs === undefined ? '' : `; needs ${needs}`}\n`);
}

function list(): void {
	for (const [name, longRun] of Object.entries(longRuns)) show(name, longRun);
	console.log('To run one: npm run lab -- <name> [its options]');
}

async function start({ node, installs }: LongRun, options: readonly string[]): Promise<void> {
	if (installs !== undefined && !installTools(installs)) {
		console.log(`skipped: the packages of tools/${installs} cannot be installed`);
		return;
	}
	process.chdir(join(import.meta.dirname, '../..'));
	await runInOwnFolder([...node, ...options]);
}

const [name, ...options] = process.argv.slice(2);
const longRun = Object.entries(longRuns).find(([each]) => each === name)?.[1];
if (name === undefined) list();
else if (longRun === undefined) {
	console.error(`no long run is called ${name}; use one of ${Object.keys(longRuns).join(', ')}`);
	process.exitCode = 2;
} else if (options.includes('--help')) show(name, longRun);
else await start(longRun, options);
