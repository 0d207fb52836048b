import { globSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

const root = resolve(import.meta.dirname, '..');

export type BundleOptions = {
	/** Every function gets a directory of its own below it. */
	readonly outdir: string;
	/** For one machine: what a deployment may not override can be. */
	readonly local: boolean;
};

/** `shared/overrides.ts` becomes `local/overrides.ts`. */
const localOverrides: Plugin = {
	name: 'local-overrides',
	setup({ onResolve }) {
		onResolve({ filter: /\/overrides\.ts$/ }, () => ({ path: join(root, 'local/overrides.ts') }));
	},
};

/** Bundles all functions in one run, each to `<outdir>/<name>/index.js`. */
export async function bundle({ outdir, local }: BundleOptions): Promise<Metafile> {
	const files = globSync('functions/*/*.ts', { cwd: root });
	const result = await build({
		absWorkingDir: root,
		entryPoints: files.map((file) => ({ in: file, out: join(basename(file, '.ts'), 'index') })),
		outdir: relative(root, resolve(outdir)),
		bundle: true,
		platform: 'node',
		target: 'node24',
		format: 'cjs',
		minify: true,
		metafile: true,
		supported: { 'dynamic-import': false },
		plugins: local ? [localOverrides] : [],
		logLevel: 'warning',
	});
	return result.metafile;
}

if (import.meta.main) await bundle({ outdir: 'dist/functions', local: false });
