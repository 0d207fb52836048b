import {
	cpSync,
	existsSync,
	globSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin, transformSync } from 'esbuild';
import { CLONE_OPS } from './ops-command.ts';
import { buildWidget } from './widget.ts';

const root = resolve(import.meta.dirname, '../..');

export type BundleOptions = {
	/** The directory of the bundles. Each function has its own directory in it, with the bundle `index.js`. */
	readonly outdir: string;
	/** True for the local stack. Its bundles read some settings from the environment that are fixed in a deployment. */
	readonly local: boolean;
	/** The command that starts the operators' program. By default, the command of a clone. */
	readonly ops?: string;
};

/** Replaces the module without overrides with the module that reads overrides from the environment. */
const localOverrides: Plugin = {
	name: 'local-overrides',
	setup({ onLoad }) {
		const path = join(root, 'local/overrides.ts');
		onLoad({ filter: /[/\\]shared[/\\]overrides\.ts$/ }, () => ({
			contents: readFileSync(path),
			loader: 'ts',
			resolveDir: join(root, 'local'),
		}));
	},
};

/**
 * For each kind of module, the function calls that a bundle can leave out if it does not use their result. The first kind makes
 * schemas and rows of the table of routes. The second kind registers the SDK's error classes. These are not needed, because we
 * recognise most errors by their code alone. (The DynamoDB adapter itself registers the few error classes whose other fields it
 * reads.)
 */
const DEFINITIONS = [
	{
		module: /[/\\]shared[/\\](contract[/\\].+|messages[/\\].+|env)\.ts$/,
		call: /(?<![\w.])(?:z(?:\.\w+)+|route|single|listOf|listQuery)\(/g,
	},
	{
		module: /[/\\]@aws-sdk[/\\]client-[\w-]+[/\\].+[/\\]schemas_0\.js$/,
		call: /new TypeRegistry\(|\w+_registry\.registerError\(/g,
	},
] as const;

/**
 * Tells esbuild that these definitions have no side effects. Otherwise, if a function uses one definition of a module,
 * esbuild would keep all definitions of that module in the function's bundle.
 */
const pureDefinitions: Plugin = {
	name: 'pure-definitions',
	setup({ onLoad }) {
		for (const { module, call } of DEFINITIONS) {
			onLoad({ filter: module }, ({ path }) => ({
				contents: withLiteralKeys(readFileSync(path, 'utf8')).replaceAll(call, '/* @__PURE__ */ $&'),
				loader: 'default',
				resolveDir: dirname(path),
			}));
		}
	},
};

/**
 * Replaces `const e = "error"; ... { [e]: 1 }` in the SDK with `{ "error": 1 }`. A computed key might call a method, so esbuild
 * would keep the schema of every operation and every error of a service.
 */
function withLiteralKeys(module: string): string {
	const names = new Map([...module.matchAll(/^const (_\w+) = ("[^"]*");$/gm)].map(([, name, text]) => [name, text]));
	return module.replaceAll(/\[(_\w+)\]:/g, (key, name) => `${names.get(name) ?? key}:`);
}

/**
 * The numbering plans of libphonenumber become a file next to the bundle, because V8 reads JSON in half the time that code
 * takes.
 */
const PLANS = { module: 'node_modules/libphonenumber-js/metadata.max.json.js', file: 'numbering-plans.json' } as const;
const plansAsFile: Plugin = {
	name: 'plans-as-file',
	setup({ onLoad }) {
		onLoad({ filter: /[/\\]libphonenumber-js[/\\]metadata\.max\.json\.js$/ }, () => ({
			contents: `import { readFileSync } from 'node:fs';
				export default JSON.parse(readFileSync(__dirname + '/${PLANS.file}', 'utf8'));`,
			loader: 'js',
		}));
	},
};

/**
 * Leaves out what the SDK imports dynamically (a chain of credential providers, event streams), because no function uses
 * these modules. Otherwise esbuild would also keep all code that only these modules use.
 */
const nothingLater: Plugin = {
	name: 'nothing-later',
	setup({ onResolve }) {
		onResolve({ filter: /./ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : undefined));
	},
};

/**
 * Removes classes of the SDK that no function uses. The protocols write and read JSON with two of them by default, but
 * shared/adapters/aws/client/json.ts replaces these. The third formats the headers of messages in a signed event stream.
 */
const unusedClasses: Plugin = {
	name: 'unused-classes',
	setup({ onLoad }) {
		onLoad({ filter: /[/\\](JsonShape(Deserializer|Serializer)2|HeaderFormatter)\.js$/ }, ({ path }) => ({
			contents: `export class ${basename(path, '.js')} {}`,
		}));
	},
};

const common = {
	absWorkingDir: root,
	bundle: true,
	platform: 'node',
	target: 'node24',
	// In an ES module, `import 'node:http'` would load Node's own undici, which costs 50 ms of a cold start.
	format: 'cjs',
	// A dynamic `import()` would load undici, too, so it becomes a `require`.
	supported: { 'dynamic-import': false },
	// Prefer ES modules to CommonJS, because esbuild can remove unused code only from ES modules.
	mainFields: ['module', 'main'],
	minify: true,
	// The texts of ten languages are shorter if their letters are not escaped.
	charset: 'utf8',
	legalComments: 'none',
	logLevel: 'warning',
} as const satisfies BuildOptions;

/**
 * Bundles every file of functions/ in one run. Returns the metafile, and writes it to `<outdir>.meta.json`. For a deployment,
 * also writes source maps to `<outdir>.maps`. They translate the positions in logged stack traces into positions in the
 * sources. The metafile and the source maps are not deployed.
 */
export async function bundle({ outdir, local, ops = CLONE_OPS }: BundleOptions): Promise<Metafile> {
	const target = resolve(outdir);
	rmSync(target, { recursive: true, force: true });
	const files = globSync('functions/**/*.ts', { cwd: root });
	const names = files.map((file) => basename(file, '.ts'));
	const { metafile } = await build({
		...common,
		entryPoints: files.map((file) => ({ in: file, out: join(basename(file, '.ts'), 'index') })),
		outdir: target,
		define: {
			// Files next to a module are copied next to the function's bundle. So in a bundle, the folder of the bundle
			// takes the place of the module's folder.
			'import.meta.dirname': '__dirname',
			OPS_COMMAND: JSON.stringify(ops),
		},
		sourcemap: local ? false : 'external',
		metafile: true,
		plugins: [nothingLater, unusedClasses, pureDefinitions, plansAsFile, ...(local ? [localOverrides] : [])],
	});
	if (!local) moveMaps(target, names);
	copyFiles(target, metafile);
	// The function `publish-widget` also publishes the widget's files, so build them into its folder.
	buildWidget(join(target, 'publish-widget', 'widget'), ops);
	writeFileSync(`${target}.meta.json`, JSON.stringify(metafile));
	return metafile;
}

/** Bundles one function of the local stack for a debugger: not minified, and with its sources in the file. */
export async function bundleReadable(name: string, outfile: string): Promise<void> {
	const [file] = globSync(`functions/**/${name}.ts`, { cwd: root });
	if (file === undefined) throw new Error(`no file of functions/ is called ${name}`);
	await build({
		...common,
		entryPoints: [file],
		outfile,
		define: { 'import.meta.dirname': '__dirname', OPS_COMMAND: JSON.stringify(CLONE_OPS) },
		minify: false,
		sourcemap: 'inline',
		plugins: [nothingLater, unusedClasses, pureDefinitions, plansAsFile, localOverrides],
	});
}

/** Copies files into the folder of a function's bundle: all files that the function reads when it runs. */
function copyFiles(outdir: string, { outputs }: Metafile): void {
	for (const [file, { inputs }] of Object.entries(outputs)) {
		const beside = join(outdir, basename(dirname(file)));
		for (const [path, { bytesInOutput }] of Object.entries(inputs)) if (bytesInOutput > 0) copyFilesOf(path, beside);
	}
}

/**
 * Copies the files that a module reads: numbering plans, texts (`desk-texts.ts` reads texts/desk), style sheets
 * (`desk-style.ts` reads desk.css, and the sheets in page-styles), icons (`menu-icons.ts` reads menu-icons.json).
 */
function copyFilesOf(module: string, beside: string): void {
	// If node_modules is a link, the module's path is outside the root, so only its end is compared.
	if (module.endsWith(PLANS.module)) cpSync(join(root, module.replace(/\.js$/, '')), join(beside, PLANS.file));
	const [, texts] = /^shared\/presentation\/(\w+)-texts\.ts$/.exec(module) ?? [];
	if (texts !== undefined) {
		const folder = join('texts', texts);
		cpSync(join(root, 'shared/presentation', folder), join(beside, folder), { recursive: true });
	}
	const [, sheet] = /^(shared\/http\/.+)-style\.ts$/.exec(module) ?? [];
	if (sheet !== undefined) {
		copySheet(join(root, `${sheet}.css`), beside);
		const pages = join(root, dirname(sheet), 'page-styles');
		for (const file of existsSync(pages) ? readdirSync(pages) : [])
			copySheet(join(pages, file), join(beside, 'page-styles'));
	}
	const [, icons] = /^(shared\/http\/.+-icons)\.ts$/.exec(module) ?? [];
	if (icons !== undefined) cpSync(join(root, `${icons}.json`), join(beside, `${basename(icons)}.json`));
}

/** Copies a style sheet, minified. */
function copySheet(file: string, folder: string): void {
	const { code } = transformSync(readFileSync(file, 'utf8'), { loader: 'css', minify: true });
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, basename(file)), code);
}

function moveMaps(outdir: string, names: readonly string[]): void {
	const maps = `${outdir}.maps`;
	rmSync(maps, { recursive: true, force: true });
	mkdirSync(maps, { recursive: true });
	for (const name of names) renameSync(join(outdir, name, 'index.js.map'), join(maps, `${name}.js.map`));
}

if (import.meta.main) await bundle({ outdir: join(root, 'dist/functions'), local: false });
