import { globSync } from 'node:fs';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { importRules } from './import-rules.ts';

// dependency-cruiser reports "no violations" if it can read nothing, so this compares the number of read files with the
// tree.

const ROOMS = ['shared', 'functions', 'infra', 'local', 'ops', 'packages', 'examples', 'tools', 'test'];
const repository = `${import.meta.dirname}/../..`;

export type Cruise = {
	/** Our files that dependency-cruiser read. */
	readonly read: number;
	/** Our files that exist. */
	readonly existing: number;
	/** `rule: from -> to` */
	readonly violations: readonly string[];
};

/** Checks the import rules in every module under `root`. */
export async function checkImports(root: string): Promise<Cruise> {
	const existing = new Set(globSync(`{${ROOMS.join(',')}}/**/*.ts`, { cwd: root, exclude: ['**/node_modules/**'] }));
	const rooms = [...new Set([...existing].map((file) => file.split('/')[0] ?? ''))];
	const tsConfig = extractTSConfig(`${repository}/tsconfig.json`);
	const { output } = await cruise(rooms, { ...importRules, baseDir: root }, {}, { tsConfig });
	if (typeof output === 'string') throw new Error('dependency-cruiser gave a text, not a result');
	return {
		read: output.modules.filter((module) => existing.has(module.source)).length,
		existing: existing.size,
		violations: output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
	};
}

if (import.meta.main) {
	const { read, existing, violations } = await checkImports(repository);
	for (const violation of violations) console.error(violation);
	console.log(`imports: ${read} of ${existing} modules read, ${violations.length} violations`);
	if (violations.length > 0 || read === 0 || read < existing) process.exitCode = 1;
}
