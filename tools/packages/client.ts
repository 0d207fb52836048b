import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeDeclarations } from './declarations.ts';
import { bundlePackage } from './package-files.ts';
import { writeWireTypes } from './wire-types.ts';

const root = resolve(import.meta.dirname, '../..');

const tsconfig = {
	compilerOptions: {
		target: 'es2022',
		lib: ['es2024', 'dom', 'dom.iterable'],
		module: 'esnext',
		moduleResolution: 'bundler',
		strict: true,
		noEmit: true,
		allowImportingTsExtensions: true,
		skipLibCheck: true,
		// The types have a full path, because the folder `stage` may be outside the project.
		typeRoots: [join(root, 'node_modules/@types')],
		types: ['node'],
	},
	include: ['**/*.ts'],
};

/** Builds the client and the webhook verifier into `folder`. `stage`: a folder for the sources during the build. */
export async function buildClient(folder: string, stage: string): Promise<void> {
	rmSync(stage, { recursive: true, force: true });
	cpSync(join(root, 'packages/client'), stage, { recursive: true });
	await writeWireTypes(join(root, 'docs/openapi.json'), stage);
	const project = join(stage, 'tsconfig.json');
	writeFileSync(project, JSON.stringify(tsconfig));
	const entry = (name: string) => join(stage, `${name}.ts`);
	const entries = { index: entry('index'), webhooks: entry('webhooks') };
	await bundlePackage(folder, { entryPoints: entries, platform: 'node' });
	writeDeclarations(folder, project, entries);
}
