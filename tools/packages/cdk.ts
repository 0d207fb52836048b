import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { bundle } from '../../infra/bundle/functions.ts';
import { cdkDeclarations } from './cdk-declarations.ts';
import { copyPages } from './cdk-pages.ts';
import { bundlePackage, FORMATS } from './package-files.ts';
import { writeThirdParty } from './third-party.ts';

const root = resolve(import.meta.dirname, '../..');
const EXTERNAL = ['aws-cdk-lib', 'constructs'];

/** Builds the construct, its types, the bundles of the functions and the operators' programs into `folder`. */
export async function buildCdkPackage(folder: string): Promise<void> {
	const entries = { index: join(root, 'packages/cdk/index.ts') };
	// Class names are kept, because the CDK shows them in its errors.
	const construct = await bundlePackage(folder, {
		entryPoints: entries,
		platform: 'node',
		external: EXTERNAL,
		keepNames: true,
	});
	const declarations = cdkDeclarations();
	for (const { types } of FORMATS) writeFileSync(join(folder, `index${types}`), declarations);
	const programs = await buildPrograms(join(folder, 'bin'));
	copyPages(folder);
	cpSync(join(root, 'infra/policies'), join(folder, 'policies'), { recursive: true });
	// The bundler also writes reports and source maps. These files do not belong in the package.
	const stage = mkdtempSync(join(tmpdir(), 'functions-'));
	const functions = await bundle({ outdir: join(stage, 'functions'), local: false, ops: 'npx @call-back/cdk ops' });
	cpSync(join(stage, 'functions'), join(folder, 'functions'), { recursive: true });
	rmSync(stage, { recursive: true });
	writeThirdParty(folder, join(root, 'packages/cdk/package.json'), [...construct, programs, functions]);
}

/** Builds the operators' programs. Each command is a separate file, so that a program loads only what it needs. */
async function buildPrograms(outdir: string): Promise<Metafile> {
	// Some of the libraries are CommonJS and call `require`.
	const required = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
	const { metafile } = await build({
		entryPoints: { 'call-back': join(root, 'ops/of-package.ts') },
		outdir,
		bundle: true,
		splitting: true,
		minify: true,
		platform: 'node',
		format: 'esm',
		target: 'es2022',
		external: EXTERNAL,
		tsconfigRaw: {},
		legalComments: 'none',
		logLevel: 'warning',
		metafile: true,
		banner: { js: required },
	});
	// Modules read the texts from the folder `texts` next to them.
	cpSync(join(root, 'shared/presentation/texts'), join(outdir, 'texts'), { recursive: true });
	const program = join(outdir, 'call-back.js');
	writeFileSync(program, `#!/usr/bin/env node\n${readFileSync(program, 'utf8')}`, { mode: 0o755 });
	return metafile;
}
