import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// dependency-cruiser reports "no violations" when it can read nothing, so what it read is counted against the tree.

const ROOMS = ['shared', 'functions', 'infra', 'local', 'build', 'ops', 'client', 'bench', 'widget', 'test'];
const repository = fileURLToPath(new URL('../..', import.meta.url));

export type Cruise = {
	/** Files of ours that were read. */
	readonly read: number;
	/** Files of ours that exist. */
	readonly existing: number;
	/** `rule: from -> to` */
	readonly violations: readonly string[];
};
type Report = {
	readonly modules: readonly { readonly source: string }[];
	readonly summary: {
		readonly violations: readonly {
			readonly rule: { readonly name: string };
			readonly from: string;
			readonly to: string;
		}[];
	};
};

/** Holds every module under `root` to the rules of .dependency-cruiser.mjs. */
export function checkImports(root: string): Cruise {
	const existing = globSync(`{${ROOMS.join(',')}}/**/*.ts`, { cwd: root });
	const rooms = [...new Set(existing.map((file) => file.split('/')[0] ?? ''))];
	const text = execFileSync(
		process.execPath,
		[
			`${repository}node_modules/dependency-cruiser/bin/dependency-cruiser.mjs`,
			...['--config', `${repository}.dependency-cruiser.mjs`, '--output-type', 'json'],
			...rooms,
		],
		{ cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
	);
	const report: Report = JSON.parse(text);
	const ours = new Set(existing);
	return {
		read: report.modules.filter((module) => ours.has(module.source)).length,
		existing: existing.length,
		violations: report.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
	};
}

if (import.meta.main) {
	const { read, existing, violations } = checkImports(repository);
	for (const violation of violations) console.error(violation);
	console.log(`imports: ${read} of ${existing} modules read, ${violations.length} violations`);
	if (violations.length > 0 || read === 0 || read < existing) process.exitCode = 1;
}
