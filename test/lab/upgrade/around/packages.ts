import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { installTools } from '../../../../tools/install.ts';
import type { Release } from './release.ts';

const root = resolve(import.meta.dirname, '../../../..');
const GENERATOR = 'openapi-client';

/**
 * The packages that customers get from a release: the file of each module, or null if the tools that make the module cannot be
 * downloaded.
 */
export type Packages = {
	readonly client: string | null;
	/** A client that was generated from the release's API document. */
	readonly generated: string | null;
};

/**
 * Packs the release's client with the release's own `npm run pack`, and generates another client from the release's API document.
 */
export async function packagesOf({ folder }: Release): Promise<Packages> {
	const client = join(folder, 'dist/packages/client/index.js');
	if (!existsSync(client)) spawnSync('npm', ['run', 'pack'], { cwd: folder, stdio: 'ignore' });
	return { client: existsSync(client) ? client : null, generated: await generatedFrom(folder) };
}

async function generatedFrom(folder: string): Promise<string | null> {
	const source = join(folder, 'dist/generated');
	const outfile = join(folder, 'dist/generated.mjs');
	if (existsSync(outfile)) return outfile;
	if (!installTools(GENERATOR)) return null;
	const program = join(root, 'tools', GENERATOR, 'node_modules/.bin/openapi-ts');
	const args = ['-i', join(folder, 'docs/openapi.json'), '-o', source];
	const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
	if (status !== 0) throw new Error(`no client could be generated: ${stdout}${stderr}`);
	// The generated index does not export the client, in which the base URL and the key are set.
	const contents = "export * from './sdk.gen'; export { client } from './client.gen';";
	await build({ stdin: { contents, resolveDir: source }, outfile, bundle: true, format: 'esm', logLevel: 'error' });
	return outfile;
}
