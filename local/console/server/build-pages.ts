import { cpSync, readdirSync, rmSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { cachedBuild } from '../../../infra/bundle/build-cache.ts';
import { buildWidget } from '../../../infra/bundle/widget.ts';
import { ownerOnly } from '../../owner-only.ts';

const source = resolve(import.meta.dirname, '../page');
const ASIS: readonly string[] = ['.html', '.css', '.svg'];

/**
 * Copies the pages of the console, the demo shop and the widget from the build cache into `folder`. The pages are copied,
 * because a later build may replace the files in the cache.
 */
export async function copyPages(folder: string): Promise<void> {
	const pages = await cachedBuild({ name: 'pages', make: buildPages, also: ['local/console/**/*'] });
	rmSync(folder, { recursive: true, force: true });
	cpSync(pages, folder, { recursive: true });
	// A copy has the permissions of its original, so set the permissions of the copy here.
	ownerOnly(folder);
}

async function buildPages(folder: string): Promise<void> {
	buildWidget(join(folder, 'widget'));
	buildSync({
		entryPoints: [join(source, 'console.ts'), join(source, 'demo.ts')],
		outdir: folder,
		bundle: true,
		format: 'esm',
		target: 'es2024',
		tsconfigRaw: {},
	});
	for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
		if (ASIS.includes(extname(file))) cpSync(join(source, file), join(folder, basename(file)));
	}
}
