import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type FolderCircles, folderCircles } from './folder-circles.ts';

// dependency-cruiser also reports "no violations" if it could read no file. So the test compares the number of files that
// dependency-cruiser read with the number of files that exist.

const TOP_FOLDERS = ['shared', 'functions', 'infra', 'local', 'ops', 'packages', 'examples', 'tools', 'test'];
const repository = join(import.meta.dirname, '../..');
const cruiser = join(repository, 'tools/check/node_modules/.bin/depcruise');

const Output = z.object({
	modules: z.array(z.object({ source: z.string(), dependencies: z.array(z.object({ resolved: z.string() })) })),
	summary: z.object({
		violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
	}),
});

export type Cruise = {
	/** How many of our files dependency-cruiser read. */
	readonly read: number;
	/** How many of our files exist. */
	readonly existing: number;
	/** Each in the form `rule: from -> to`. */
	readonly violations: readonly string[];
	readonly circles: FolderCircles;
};

/**
 * Folders whose own files import from a subfolder, while the subfolder imports from them. The text is the reason. No other folder
 * may do this.
 */
export const COMPOSING_FOLDERS: Readonly<Record<string, string>> = {
	infra: 'The construct composes its parts, which read the rows of functions and the properties.',
	local: 'The stack composes the stand-ins, which read the template and write lines of JSON.',
	'local/console/page': 'The page composes its views, which share its elements and its requests.',
	ops: 'The program composes its commands, which share the connection, the errors and the session.',
	'packages/widget': 'The panel composes look, request and number, which share its configuration and its words.',
	shared: 'The composition root gives adapters their environment, which they read by its names.',
	'shared/adapters/telephony': 'The provider is one of three, which speak over the same HTTP and TwiML.',
	'shared/contract': 'The table of routes lists every room, whose routes are made by the same function.',
	'shared/http/desk': 'The sites of the desk compose its pages, which name the roles and the forms.',
};

/** Our TypeScript files below `root`. */
export const sourcesIn = (root: string): readonly string[] =>
	globSync(`{${TOP_FOLDERS.join(',')}}/**/*.ts`, { cwd: root, exclude: ['**/node_modules/**'] });

/** Checks the import rules in all modules below `root`. */
export function checkImports(root: string): Cruise {
	const existing = new Set(sourcesIn(root));
	const folders = [...new Set([...existing].map((file) => file.split('/')[0] ?? ''))];
	const args = ['--config', join(import.meta.dirname, 'import-rules.ts'), '--output-type', 'json', ...folders];
	const { stdout, stderr } = spawnSync(process.execPath, [cruiser, ...args], {
		cwd: root,
		encoding: 'utf8',
		maxBuffer: 64_000_000,
	});
	if (stdout === '') throw new Error(stderr);
	const { modules, summary } = Output.parse(JSON.parse(stdout));
	return {
		read: modules.filter((module) => existing.has(module.source)).length,
		existing: existing.size,
		violations: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
		circles: folderCircles(
			modules.flatMap(({ source, dependencies }) =>
				dependencies
					.map(({ resolved }) => ({ from: source, to: resolved }))
					.filter(({ from, to }) => [from, to].every((file) => TOP_FOLDERS.includes(file.split('/')[0] ?? ''))),
			),
		),
	};
}

/**
 * Describes in a sentence each wrong circular import between folders, and each entry of `COMPOSING_FOLDERS` that is no longer
 * needed.
 */
export function wrongCircles({ own, named }: FolderCircles): readonly string[] {
	const known = Object.keys(COMPOSING_FOLDERS);
	return [
		...named.map((circle) => `folders need each other in ${circle}`),
		...own
			.filter((folder) => !known.includes(folder))
			.map((folder) => `${folder}: its own files import a folder in it that imports them`),
		...known.filter((folder) => !own.includes(folder)).map((folder) => `${folder}: is in the list without need`),
	];
}

if (import.meta.main) {
	const { read, existing, violations, circles } = checkImports(repository);
	const wrong = [...violations, ...wrongCircles(circles)];
	for (const violation of wrong) console.error(violation);
	console.log(`imports: ${read} of ${existing} modules read, ${wrong.length} violations`);
	if (wrong.length > 0 || read === 0 || read < existing) process.exitCode = 1;
}
