import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import type { Metafile } from 'esbuild';
import { bundledPackages } from '../../tools/packages/third-party.ts';

// Tests the licences of third-party code in our packages, and how this code is found in the bundles.
// test/packages/packages.test.ts checks the list in the construct's package.

/** Licences that allow us to distribute the code together with their text. The construct's package contains the texts. */
const LICENCES: ReadonlySet<string> = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']);

it('each shipped package, and each package that it needs, has a licence that allows us to ship it', () => {
	const lockfile: {
		readonly packages: Readonly<
			Record<string, { readonly license?: string; readonly dev?: true; readonly optional?: true }>
		>;
	} = JSON.parse(readFileSync('package-lock.json', 'utf8'));
	const shipped = Object.entries(lockfile.packages).filter(
		([place, { dev, optional }]) => place !== '' && !(dev ?? optional ?? false),
	);
	expect(shipped.length).toBeGreaterThan(40);
	expect(shipped.filter(([, { license }]) => !LICENCES.has(String(license)))).toEqual([]);
});

const bundle = (...files: readonly string[]): Metafile => ({
	inputs: {},
	outputs: {
		'index.js': {
			bytes: 1,
			exports: [],
			imports: [],
			inputs: Object.fromEntries(files.map((file) => [file, { bytesInOutput: file.includes('unused') ? 0 : 1 }])),
		},
	},
});
const namesIn = (...files: readonly string[]) => bundledPackages([bundle(...files)]).map(({ name }) => name);

it('the test finds packages by the paths of their files', () => {
	expect(namesIn('shared/deps.ts', 'node_modules/zod/v4/core.js', 'node_modules/@smithy/core/index.js')).toEqual([
		'@smithy/core',
		'zod',
	]);
	expect(namesIn('../../elsewhere/node_modules/zod/mini.js', 'node_modules/ulid/unused.js')).toEqual(['zod']);
	expect(namesIn('C:\\clone\\node_modules\\zod\\mini.js')).toEqual(['zod']);
	expect(() => namesIn('node_modules/unknown/index.js')).toThrow();
});
