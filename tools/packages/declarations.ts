import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FORMATS } from './package-files.ts';

const generator = resolve(
	import.meta.dirname,
	'../../node_modules/dts-bundle-generator/dist/bin/dts-bundle-generator.js',
);

/**
 * Writes the types of each entry point, once for each format, into a file that imports nothing from the repository.
 * `entries`: the source of each entry point, by the entry point's name in the package.
 */
export function writeDeclarations(
	folder: string,
	tsconfig: string,
	entries: Readonly<Record<string, string>>,
	imports: readonly string[] = [],
): void {
	const settings = mkdtempSync(join(tmpdir(), 'declarations-'));
	const config = join(settings, 'config.json');
	const bundles = Object.entries(entries).map(([name, filePath]) => ({
		filePath,
		outFile: join(folder, `${name}.d.ts`),
		// Global declarations must be in only one of the files: `index`.
		output: {
			noBanner: true,
			exportReferencedTypes: false,
			// A wrapper may extend the types of its framework. Such declarations must not be in `index`, which needs no
			// framework.
			inlineDeclareExternals: name !== 'index',
			inlineDeclareGlobals: name === 'index',
		},
		libraries: { importedLibraries: imports },
		noCheck: true,
	}));
	writeFileSync(config, JSON.stringify({ compilationOptions: { preferredConfigPath: tsconfig }, entries: bundles }));
	execFileSync(process.execPath, [generator, '--silent', '--config', config], {
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	rmSync(settings, { recursive: true });
	for (const name of Object.keys(entries)) {
		for (const { types } of FORMATS) {
			if (types !== '.d.ts') copyFileSync(join(folder, `${name}.d.ts`), join(folder, `${name}${types}`));
		}
	}
}
