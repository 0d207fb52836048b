import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const modules = resolve(import.meta.dirname, '../../node_modules');

/** A customer's empty project, into which npm has installed these tarballs. */
export async function emptyProject(tarballs: readonly string[]) {
	const folder = mkdtempSync(join(tmpdir(), 'project-'));
	writeFileSync(join(folder, 'package.json'), '{ "private": true }');
	const flags = ['--no-audit', '--no-fund', '--offline', '--legacy-peer-deps'];
	await run('npm', ['install', ...flags, ...tarballs], { cwd: folder });

	/** Runs a program in the project; returns its output. */
	async function execute(node: string, file: string, source: string): Promise<string> {
		writeFileSync(join(folder, file), source);
		const { stdout } = await run(node, [file], { cwd: folder });
		return stdout.trim();
	}

	/** The errors that `tsc --strict` finds in a program; empty if there are none. React's types come from this repository. */
	async function typeErrors(
		file: string,
		source: string,
		settings: Readonly<Record<string, unknown>>,
	): Promise<string> {
		writeFileSync(join(folder, file), source);
		const compilerOptions = {
			strict: true,
			noEmit: true,
			exactOptionalPropertyTypes: true,
			// Checks the packages' declarations, but not TypeScript's own, which would take two thirds of the time.
			skipLibCheck: false,
			skipDefaultLibCheck: true,
			target: 'es2022',
			lib: ['es2024', 'dom', 'dom.iterable'],
			types: [],
			paths: { react: [join(modules, '@types/react/index.d.ts')] },
			...settings,
		};
		writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
		const tsc = run(process.execPath, [join(modules, 'typescript/bin/tsc'), '-p', folder]);
		return (await tsc.catch((error: { stdout: string }) => error)).stdout;
	}

	return { folder, execute, typeErrors, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
