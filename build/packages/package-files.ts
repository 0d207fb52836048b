import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

/** The formats of a package: what `import` and what `require` get. */
export const FORMATS = [
	{ format: 'esm', js: '.js', types: '.d.ts' },
	{ format: 'cjs', js: '.cjs', types: '.d.cts' },
] as const;

/** Bundles the entry points of a package into `folder`, once for each format. */
export async function bundlePackage(folder: string, options: BuildOptions): Promise<void> {
	for (const { format, js } of FORMATS) {
		await build({
			...options,
			outdir: folder,
			bundle: true,
			format,
			splitting: format === 'esm',
			outExtension: { '.js': js },
			target: 'es2022',
			// The repository's own settings are for type checks only.
			tsconfigRaw: {},
			legalComments: 'none',
			logLevel: 'warning',
		});
	}
}

/**
 * Copies what a package ships besides its code, with the version and the commit it was built from. A version comes from
 * the service's own package.json: packages and service are released together.
 */
export function writeManifest(source: string, folder: string, release: { version: string; commit: string }): void {
	mkdirSync(folder, { recursive: true });
	const manifest: object = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
	const { version, commit } = release;
	writeFileSync(
		join(folder, 'package.json'),
		`${JSON.stringify({ ...manifest, version, gitHead: commit }, null, 2)}\n`,
	);
	copyFileSync(join(source, 'README.md'), join(folder, 'README.md'));
}
