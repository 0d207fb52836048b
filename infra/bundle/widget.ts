import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync, transformSync } from 'esbuild';
import { minify_sync } from 'terser';
import { CLONE_OPS } from './ops-command.ts';

const here = (path: string) => fileURLToPath(new URL(`../../packages/widget/${path}`, import.meta.url));

/** What a page needs to know about the build. The manifest is also written to `manifest.json`, next to the files. */
export type Manifest = {
	/**
	 * The script under a name that changes with its content. Browsers may cache this script for ever, and pages may pin it
	 * with `integrity`.
	 */
	readonly file: string;
	/** The same script under a name that never changes. */
	readonly alias: string;
	/** The files with texts, by language, for pages that are not in English. */
	readonly texts: Readonly<Record<string, string>>;
	readonly size: number;
	readonly gzip_size: number;
	readonly integrity: string;
	/**
	 * The file that the script loads when a visitor opens the panel. The script contains the integrity value of this file.
	 */
	readonly panel: Part;
	/**
	 * The file that the panel loads on a page with several workspace keys. The panel contains the integrity value of this
	 * file.
	 */
	readonly choice: Part;
};
type Part = {
	readonly file: string;
	readonly size: number;
	readonly gzip_size: number;
	readonly integrity: string;
};

type Texts = Readonly<Record<string, unknown>>;

/** The texts of every language. English is the first, because the English texts are built into the script. */
function readTexts(): ReadonlyMap<string, Texts> {
	const files = readdirSync(here('texts')).filter((file) => file.endsWith('.json') && file !== 'en.json');
	return new Map(
		['en.json', ...files.sort()].map((file) => {
			const texts: Texts = JSON.parse(readFileSync(here(`texts/${file}`), 'utf8'));
			return [file.replace('.json', ''), texts];
		}),
	);
}

export function launcherTexts(): Readonly<Record<string, Texts>> {
	const few = [...readTexts()].map(([language, { dir, launcher, unreachable }]) => {
		return [language, { dir, launcher, unreachable }] as const;
	});
	return Object.fromEntries(few);
}

/**
 * The launcher's style sheet, which every page loads, and the additional style sheets of the panel and of the choice
 * between workspaces.
 */
export function widgetStyles(): Readonly<Record<'STYLE' | 'PANEL_STYLE' | 'CHOICE_STYLE', string>> {
	const minified = (file: string) => {
		const { code } = transformSync(readFileSync(here(file), 'utf8'), { loader: 'css', minify: true });
		// In the value of a custom property, esbuild keeps spaces that have no meaning. Remove them.
		return code.trim().replaceAll(/(?<=[(,]|--[\w-]+:) | (?=\))| (?=[*/] )|(?<= [*/]) /g, '');
	};
	return {
		STYLE: minified('look/widget.css'),
		PANEL_STYLE: minified('look/panel.css'),
		CHOICE_STYLE: minified('look/choice.css'),
	};
}

const GUARD = '}catch(e){console.error("call-back-widget: this page keeps the widget from working: "+e)}';

/**
 * Names of properties that only the panel's own code uses. Shorter names for them save a hundred bytes. No response, event
 * or built-in has a property with one of these names.
 */
const OWN_MEMBERS = /^(isAllowed|isReachable|mayCancel|ownPhoneRings|talkedSeconds|talkingSince|willRing)$/;

/**
 * Minifies with terser, which inlines and joins more than esbuild. After compression, the launcher is 150 bytes smaller
 * than with esbuild, and the panel is 500 bytes smaller.
 */
function smallest(code: string, module: boolean): string {
	const { code: smaller = code } = minify_sync(code, {
		module,
		ecma: 2020,
		compress: { passes: 3 },
		mangle: { toplevel: true },
		// The script must be ASCII, because a page with another charset may contain a copy of the script.
		format: { ascii_only: true },
	});
	return smaller;
}

/** Builds one of the scripts. `constants`: the values for the names that ambient.d.ts declares. */
function bundle(entry: string, format: 'iife' | 'esm', constants: Readonly<Record<string, unknown>>): string {
	const { outputFiles } = buildSync({
		entryPoints: [here(entry)],
		bundle: true,
		minify: true,
		write: false,
		format,
		target: 'es2022',
		// Ignore the project's tsconfig, because it would only add "use strict". Classes are strict anyway.
		tsconfigRaw: {},
		// If the page has replaced a built-in, the script may fail before its own code can report that. So the banner and the
		// footer catch the error.
		...(format === 'iife' && { banner: { js: 'try{' }, footer: { js: GUARD } }),
		...(format === 'esm' && { mangleProps: OWN_MEMBERS }),
		// The panel is a file of its own.
		external: ['./panel.ts'],
		define: Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)])),
	});
	return smallest(outputFiles[0]?.text ?? '', format === 'esm');
}

const integrityOf = (script: string): string => `sha384-${createHash('sha384').update(script).digest('base64')}`;

const sizesOf = (script: string) => ({
	size: Buffer.byteLength(script),
	gzip_size: gzipSync(script, { level: 9 }).length,
	integrity: integrityOf(script),
});

/**
 * The scripts of a version. `choice` lets the visitor choose between workspaces. The launcher contains the file name and
 * the hash of the panel, and the panel contains the file name and the hash of `choice`.
 */
function scriptsOf(version: string, languages: readonly string[], OPS_COMMAND: string) {
	const { STYLE, PANEL_STYLE, CHOICE_STYLE } = widgetStyles();
	const choice = bundle('choice.ts', 'esm', { CHOICE_STYLE });
	const choiceFile = `widget.${version}.choice.js`;
	const panel = bundle('panel.ts', 'esm', {
		PANEL_STYLE,
		OPS_COMMAND,
		VERSION: version,
		LANGUAGES: languages,
		CHOICE: { file: choiceFile, integrity: integrityOf(choice) },
	});
	const panelFile = `widget.${version}.panel.js`;
	const script = bundle('widget.ts', 'iife', {
		STYLE,
		LAUNCHER_TEXTS: launcherTexts(),
		OPS_COMMAND,
		PANEL: { file: panelFile, integrity: integrityOf(panel) },
	});
	return { choice, choiceFile, panel, panelFile, script };
}

/** Empties `folder` and builds the widget into `folder`. `ops`: the command that starts the operators' program. */
export function buildWidget(folder: string, ops = CLONE_OPS): Manifest {
	const texts = [...readTexts()].filter(([language]) => language !== 'en');
	const languages = texts.map(([language]) => language);
	const defaultScripts = scriptsOf('', languages, ops);
	// The launcher contains the hash of the panel, and the panel contains the hash of `choice`. So hashing the launcher,
	// the panel and the texts is enough for the version.
	const content = [defaultScripts.script, defaultScripts.panel, JSON.stringify(texts)].join('\n');
	const version = createHash('sha256').update(content).digest('hex').slice(0, 10);
	const { script, panel, panelFile, choice, choiceFile } = scriptsOf(version, languages, ops);
	const manifest: Manifest = {
		file: `widget.${version}.js`,
		alias: 'widget.js',
		texts: Object.fromEntries(languages.map((language) => [language, `widget.${version}.${language}.json`])),
		...sizesOf(script),
		panel: { file: panelFile, ...sizesOf(panel) },
		choice: { file: choiceFile, ...sizesOf(choice) },
	};
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
	write(panelFile, panel);
	write(choiceFile, choice);
	write(manifest.file, script);
	write(manifest.alias, script);
	for (const [language, text] of texts) write(`widget.${version}.${language}.json`, JSON.stringify(text));
	write('manifest.json', `${JSON.stringify(manifest, null, '\t')}\n`);
	return manifest;
}

if (import.meta.main) {
	const folder = fileURLToPath(new URL('../../dist/widget', import.meta.url));
	const manifest = buildWidget(folder);
	process.stdout.write(
		`${folder}/${manifest.file}\n${manifest.size} bytes, ${manifest.gzip_size} gzip\n${manifest.integrity}\n` +
			`${folder}/${manifest.panel.file}\n${manifest.panel.size} bytes, ${manifest.panel.gzip_size} gzip\n` +
			`${folder}/${manifest.choice.file}\n${manifest.choice.size} bytes, ${manifest.choice.gzip_size} gzip\n`,
	);
}
