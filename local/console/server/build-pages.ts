import { cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { cachedBuild } from '../../../infra/bundle/build-cache.ts';
import { buildWidget } from '../../../infra/bundle/widget.ts';
import { ownerOnly } from '../../owner-only.ts';

const source = resolve(import.meta.dirname, '../page');
const ASIS: readonly string[] = ['.html', '.css', '.svg'];

const FORMER_WIDGETS = 10;

/**
 * Copies the pages of the console, the demo shop and the widget from the build cache into `folder`. The pages are copied,
 * because a later build may replace the files in the cache. The ten newest former widgets stay, because a page that is open
 * loads the rest of its own widget, as from a deployment, which keeps every one.
 */
export async function copyPages(folder: string): Promise<void> {
	const pages = await cachedBuild({ name: 'pages', make: buildPages, also: ['local/console/**/*'] });
	const kept = new Set(formerWidgets(join(folder, 'widget')).slice(0, FORMER_WIDGETS));
	for (const file of existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []) {
		if (!kept.has(hashOf(basename(file))) && !statSync(join(folder, file)).isDirectory()) rmSync(join(folder, file));
	}
	cpSync(pages, folder, { recursive: true });
	// A copy has the permissions of its original, so set the permissions of the copy here.
	ownerOnly(folder);
}

/** The hash in the name of a widget's file, such as `widget.3d9fdccd3b.panel.js`. Empty if there is none. */
const hashOf = (name: string): string => /^widget\.([0-9a-f]{10})\./.exec(name)?.[1] ?? '';

/** The hashes of the widgets in this folder, newest first. */
function formerWidgets(folder: string): readonly string[] {
	const scripts = existsSync(folder)
		? readdirSync(folder).filter((name) => /^widget\.[0-9a-f]{10}\.js$/.test(name))
		: [];
	const copiedMs = (name: string): number => statSync(join(folder, name)).mtimeMs;
	return scripts.toSorted((a, b) => copiedMs(b) - copiedMs(a)).map(hashOf);
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
