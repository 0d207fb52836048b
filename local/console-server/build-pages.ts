import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { docsSite } from '../../build/docs/site.ts';
import { buildWidget } from '../../widget/build.ts';

const source = resolve(import.meta.dirname, '../console');
const ASIS: readonly string[] = ['.html', '.css', '.svg'];

/** Builds the console's files into `folder`: its pages, the demo shop, and the widget in `widget/`. */
export function buildPages(folder: string): void {
	mkdirSync(folder, { recursive: true });
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
		// Copied without its mode, because only the owner may read the state directory.
		if (ASIS.includes(extname(file))) writeFileSync(join(folder, basename(file)), readFileSync(join(source, file)));
	}
}

/**
 * Builds the documentation at the first request, as a copy in `folder`, because a later build may replace the cached one.
 */
export function docsOf(folder: string): () => Promise<string> {
	const made = async (): Promise<string> => {
		const site = await docsSite();
		rmSync(folder, { recursive: true, force: true });
		cpSync(site, folder, { recursive: true });
		return folder;
	};
	let running: Promise<string> | undefined;
	return () => {
		running ??= made();
		return running;
	};
}
