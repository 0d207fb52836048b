import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';

/** The two formats of a package. One is for `import`, and the other is for `require`. */
export const FORMATS = [
	{ format: 'esm', js: '.js', types: '.d.ts' },
	{ format: 'cjs', js: '.cjs', types: '.d.cts' },
] as const;

/** Bundles the entry points of a package into `folder`, once for each format. Returns the contents of the bundles. */
export async function bundlePackage(folder: string, options: BuildOptions): Promise<readonly Metafile[]> {
	const metafiles: Metafile[] = [];
	for (const { format, js } of FORMATS) {
		const { metafile } = await build({
			...options,
			define: { ...options.define, ...(format === 'cjs' && { 'import.meta.dirname': '__dirname' }) },
			outdir: folder,
			bundle: true,
			format,
			splitting: format === 'esm',
			outExtension: { '.js': js },
			target: 'es2022',
			// The repository's tsconfig is ignored, because it is only for type checks.
			tsconfigRaw: {},
			legalComments: 'none',
			logLevel: 'warning',
			metafile: true,
		});
		metafiles.push(metafile);
	}
	return metafiles;
}

/**
 * Writes the files that a package contains in addition to its code: its package.json with the commit, and its README. Packages
 * and service are released together, so the commit shows to which version of the service the package belongs.
 */
export function writeManifest(source: string, folder: string, commit: string): void {
	mkdirSync(folder, { recursive: true });
	const manifest: object = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
	writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, gitHead: commit }, null, 2)}\n`);
	const readme = readFileSync(join(source, 'README.md'), 'utf8');
	// A package that contains pages and policies has them next to its README, so the links in the README have to lead there.
	const own = readme.replaceAll('](../../docs/', '](docs/').replaceAll('](../../infra/policies/', '](policies/');
	writeFileSync(join(folder, 'README.md'), existsSync(join(folder, 'docs')) ? own : readme);
}
