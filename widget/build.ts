import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync, transformSync } from 'esbuild';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What a page needs to know of the build; also written as `manifest.json` beside the files. */
export type Manifest = {
	/** The script under a name that changes with its content: cache it for ever, pin it with `integrity`. */
	readonly file: string;
	/** The same script under a name that stays. */
	readonly alias: string;
	/** By language, the texts it loads when the page is not in English. */
	readonly texts: Readonly<Record<string, string>>;
	readonly size: number;
	readonly gzip_size: number;
	/** Subresource Integrity value of the script. */
	readonly integrity: string;
};

function readTexts(): ReadonlyMap<string, string> {
	const files = readdirSync(here('texts')).filter((file) => file.endsWith('.json') && file !== 'en.json');
	return new Map(
		files.sort().map((file) => {
			const texts: unknown = JSON.parse(readFileSync(here(`texts/${file}`), 'utf8'));
			return [file.replace('.json', ''), JSON.stringify(texts)];
		}),
	);
}

/** The style sheet, minified. */
export function widgetStyle(): string {
	const style = ['widget.css', 'progress.css'].map((file) => readFileSync(here(file), 'utf8')).join('');
	const { code } = transformSync(style, { loader: 'css', minify: true });
	// esbuild leaves the space before the value of a custom property, which means nothing.
	return code.trim().replaceAll(/(--[\w-]+:) /g, '$1');
}

function bundle(version: string, languages: readonly string[], style: string): string {
	const { outputFiles } = buildSync({
		entryPoints: [here('widget.ts')],
		bundle: true,
		minify: true,
		write: false,
		format: 'iife',
		target: 'es2022',
		// Not the project's: it would only add "use strict", which classes are anyway.
		tsconfigRaw: {},
		define: {
			STYLE: JSON.stringify(style),
			VERSION: JSON.stringify(version),
			LANGUAGES: JSON.stringify(languages),
		},
	});
	return outputFiles[0]?.text ?? '';
}

/** Builds the widget into `folder`, which is emptied first. */
export function buildWidget(folder: string): Manifest {
	const texts = readTexts();
	const languages = [...texts.keys()];
	const style = widgetStyle();
	const content = [bundle('', languages, style), ...texts.values()].join('\n');
	const version = createHash('sha256').update(content).digest('hex').slice(0, 10);
	const script = bundle(version, languages, style);
	const manifest: Manifest = {
		file: `widget.${version}.js`,
		alias: 'widget.js',
		texts: Object.fromEntries(languages.map((language) => [language, `widget.${version}.${language}.json`])),
		size: Buffer.byteLength(script),
		gzip_size: gzipSync(script, { level: 9 }).length,
		integrity: `sha384-${createHash('sha384').update(script).digest('base64')}`,
	};
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
	write(manifest.file, script);
	write(manifest.alias, script);
	for (const [language, text] of texts) write(`widget.${version}.${language}.json`, text);
	write('manifest.json', `${JSON.stringify(manifest, null, '\t')}\n`);
	return manifest;
}

if (import.meta.main) {
	const folder = here('../dist/widget');
	const manifest = buildWidget(folder);
	process.stdout.write(
		`${folder}/${manifest.file}\n${manifest.size} bytes, ${manifest.gzip_size} gzip\n${manifest.integrity}\n`,
	);
}
