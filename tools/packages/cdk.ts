import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundle } from '../../infra/bundle/functions.ts';
import { cdkDeclarations } from './cdk-declarations.ts';
import { bundlePackage, FORMATS } from './package-files.ts';

const root = resolve(import.meta.dirname, '../..');
const EXTERNAL = ['aws-cdk-lib', 'constructs'];

/** Builds the construct, its types and the bundles of the functions into `folder`. */
export async function buildCdkPackage(folder: string): Promise<void> {
	const entries = { index: join(root, 'packages/cdk/index.ts') };
	await bundlePackage(folder, { entryPoints: entries, platform: 'node', external: EXTERNAL });
	const declarations = cdkDeclarations();
	for (const { types } of FORMATS) writeFileSync(join(folder, `index${types}`), declarations);
	// Reports and source maps are beside the bundles, and not part of the package.
	const stage = mkdtempSync(join(tmpdir(), 'functions-'));
	await bundle({ outdir: join(stage, 'functions'), local: false });
	cpSync(join(stage, 'functions'), join(folder, 'functions'), { recursive: true });
	rmSync(stage, { recursive: true });
}
