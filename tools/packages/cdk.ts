import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundle } from '../../infra/bundle/functions.ts';
import { writeDeclarations } from './declarations.ts';
import { bundlePackage, FORMATS } from './package-files.ts';
import { propertyInterfaces } from './property-types.ts';

const root = resolve(import.meta.dirname, '../..');
const EXTERNAL = ['aws-cdk-lib', 'constructs'];
/** The schema and the types inferred from it, in the generated declarations. */
const INFERRED = /export declare const CallBackProps:[\s\S]*?\nexport type TelephonyProps = .*;\n/;

/** Builds the construct, its types and the bundles of the functions into `folder`. */
export async function buildCdkPackage(folder: string): Promise<void> {
	const entries = { index: join(root, 'packages/cdk/index.ts') };
	await bundlePackage(folder, { entryPoints: entries, platform: 'node', external: EXTERNAL });
	writeDeclarations(folder, join(root, 'tsconfig.json'), entries, EXTERNAL);
	plainTypes(folder);
	// Reports and source maps are beside the bundles, and not part of the package.
	const stage = mkdtempSync(join(tmpdir(), 'functions-'));
	await bundle({ outdir: join(stage, 'functions'), local: false });
	cpSync(join(stage, 'functions'), join(folder, 'functions'), { recursive: true });
	rmSync(stage, { recursive: true });
}

/** Puts interfaces in place of types that need zod. */
function plainTypes(folder: string): void {
	const interfaces = propertyInterfaces();
	for (const { types } of FORMATS) {
		const file = join(folder, `index${types}`);
		const text = readFileSync(file, 'utf8');
		if (!INFERRED.test(text)) throw new Error(`${file} has no inferred properties`);
		writeFileSync(
			file,
			text.replace(INFERRED, () => interfaces),
		);
	}
}
