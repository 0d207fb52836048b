import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

// dependency-cruiser reports "no violations" if it can read nothing, so this compares the number of read files with the
// tree.

const ROOMS = ['shared', 'functions', 'infra', 'local', 'ops', 'packages', 'examples', 'tools', 'test'];
const repository = join(import.meta.dirname, '../..');
const cruiser = join(repository, 'tools/check/node_modules/.bin/depcruise');

const Output = z.object({
	modules: z.array(z.object({ source: z.string() })),
	summary: z.object({
		violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
	}),
});

export type Cruise = {
	/** Our files that dependency-cruiser read. */
	readonly read: number;
	/** Our files that exist. */
	readonly existing: number;
	/** `rule: from -> to` */
	readonly violations: readonly string[];
};

/** Checks the import rules in every module under `root`. */
export function checkImports(root: string): Cruise {
	const existing = new Set(globSync(`{${ROOMS.join(',')}}/**/*.ts`, { cwd: root, exclude: ['**/node_modules/**'] }));
	const rooms = [...new Set([...existing].map((file) => file.split('/')[0] ?? ''))];
	const args = ['--config', join(import.meta.dirname, 'import-rules.ts'), '--output-type', 'json', ...rooms];
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
	};
}

if (import.meta.main) {
	const { read, existing, violations } = checkImports(repository);
	for (const violation of violations) console.error(violation);
	console.log(`imports: ${read} of ${existing} modules read, ${violations.length} violations`);
	if (violations.length > 0 || read === 0 || read < existing) process.exitCode = 1;
}
