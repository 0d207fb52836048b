import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The major versions of Node.js that customers run. */
export const majors = [20, 22, 24] as const;
export type Major = (typeof majors)[number];

/**
 * The path of a Node.js with this major version: the one that runs the tests, or one from npm for this platform, which is kept
 * between runs. Null if the registry has none for this platform.
 */
export async function nodeOf(major: Major): Promise<string | null> {
	if (process.version.startsWith(`v${major}.`)) return process.execPath;
	const folder = resolve(import.meta.dirname, `../../node_modules/.cache/node-${major}`);
	const name = `node-${process.platform}-${process.arch}`;
	const node = join(folder, 'node_modules', name, 'bin/node');
	if (existsSync(node)) return node;
	const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
	await run('npm', ['install', ...flags, `${name}@${major}`]).catch(() => null);
	// The C headers are not needed, and are a third of the package's size.
	rmSync(join(folder, 'node_modules', name, 'include'), { recursive: true, force: true });
	return existsSync(node) ? node : null;
}
