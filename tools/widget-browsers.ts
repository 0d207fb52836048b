import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import * as z from 'zod/mini';
import { buildWidget, widgetStyles } from '../infra/bundle/widget.ts';

// Checks the table in docs/widget-reference.md: every function, property, selector and colour of the built widget must
// exist in the browsers that the table promises, according to MDN's data. `npm run check` runs this program.

const root = join(import.meta.dirname, '..');

/** Features that only newer browsers have, each with the reason why the widget may use it. */
const GUARDED: Readonly<Record<string, string>> = {
	togglePopover: 'called only if the browser has it; otherwise the launcher has its place by a fixed position',
	popover: 'read before togglePopover is called',
	createPolicy: 'within a try, and only in WebKit',
	createScriptURL: 'of the policy that createPolicy made',
	'popover-open': 'within :is(), which ignores what it does not know',
	'light-dark': 'replaced by plain colours where it is not supported',
	'relative_syntax of color': 'the same condition',
	'color-mix': 'a tint behind a symbol, transparent where it is not supported',
	trustedTypes: 'within a try, and only in WebKit',
	userActivation: 'read only in WebKit',
	isActive: 'of userActivation',
	responseStatus: 'read only where an entry has it',
};

/** Members of the widget's own objects that have the same name as members of browser interfaces. */
const OWN = ['memory', 'config', 'phone', 'country', 'inputs', 'element', 'first', 'requested', 'watch'];

/**
 * A statement in MDN's data: the version since which a feature exists, and whether the feature needs a flag or has another
 * name.
 */
const Support = z.object({
	version_added: z.optional(z.union([z.string(), z.boolean(), z.null()])),
	flags: z.optional(z.unknown()),
	prefix: z.optional(z.string()),
	alternative_name: z.optional(z.string()),
});
type Support = z.infer<typeof Support>;
const Statements = z.record(z.string(), z.union([Support, z.array(Support), z.string()]));
const Compat = z.object({ support: Statements });
/** A part of MDN's data, with features by name. `__compat` is the statement about the part itself. */
type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => value instanceof Object;
const below = (node: Node | undefined, ...path: readonly string[]): Node | undefined =>
	path.reduce<Node | undefined>((at, name) => {
		const next = at?.[name];
		return isNode(next) ? next : undefined;
	}, node);

/** The browsers in MDN's data, by their name in the table. */
const BROWSERS: Readonly<Record<string, readonly string[]>> = {
	'Chrome, Edge': ['chrome', 'chrome_android', 'edge'],
	Firefox: ['firefox', 'firefox_android'],
	'Safari, and every browser on an iPhone': ['safari', 'safari_ios'],
	'Samsung Internet': ['samsunginternet_android'],
};

/** The promised version of each browser in the data. */
function promised(): ReadonlyMap<string, number> {
	const page = readFileSync(join(root, 'docs/widget-reference.md'), 'utf8');
	return new Map(
		Object.entries(BROWSERS).flatMap(([name, ids]) => {
			const version = Number(
				page
					.split('\n')
					.find((line) => line.startsWith(`| ${name} |`))
					?.split('|')[2],
			);
			if (!(version > 0)) throw new Error(`docs/widget-reference.md has no version for ${name}`);
			return ids.map((id) => [id, version] as const);
		}),
	);
}

/** The first version that has the feature without a flag and with its own name. Null if there is none. */
function sinceOf(support: Support | readonly Support[] | string | undefined): number | null {
	const statements = typeof support === 'string' ? [] : [support ?? []].flat();
	const plain = statements.filter((each) => !each.flags && !each.prefix && !each.alternative_name);
	const versions = plain.map(({ version_added: added }) =>
		added === true ? 0 : Number.parseFloat(`${added}`.replace('≤', '')),
	);
	const known = versions.filter((version) => !Number.isNaN(version));
	return known.length > 0 ? Math.min(...known) : null;
}

/**
 * The promised browsers that lack a feature. MDN's data may have several features with the same name, such as `at` of
 * several classes. The result is for only one of these features: the feature that the fewest browsers lack.
 */
function lackedBy(features: readonly Node[], versions: ReadonlyMap<string, number>): string[] {
	const lists = features.flatMap((feature) => {
		const { data } = Compat.safeParse(feature['__compat']);
		if (data === undefined) return [];
		const lacking = [...versions].flatMap(([id, version]) => {
			const since = sinceOf(data.support[id]);
			return since === null || since > version ? [`${id} ${version} (since ${since ?? 'never'})`] : [];
		});
		return [lacking];
	});
	return lists.sort((a, b) => a.length - b.length)[0] ?? [];
}

/** All features in a part of the data, grouped by the last segment of their path. */
function byName(part: Node | undefined, found = new Map<string, Node[]>()): ReadonlyMap<string, readonly Node[]> {
	for (const [name, node] of Object.entries(part ?? {})) {
		if (name === '__compat' || !isNode(node)) continue;
		found.set(name, [...(found.get(name) ?? []), node]);
		byName(node, found);
	}
	return found;
}

/**
 * The names in a script that may belong to the browser: members, names that are taken from objects by destructuring, and
 * variables with long names.
 */
function namesIn(script: string): ReadonlySet<string> {
	const names = new Set<string>();
	const visit = (node: ts.Node): void => {
		if (ts.isPropertyAccessExpression(node)) names.add(node.name.text);
		else if (ts.isBindingElement(node) && node.propertyName) names.add(node.propertyName.getText());
		else if (ts.isIdentifier(node) && node.text.length > 2 && !ts.isPropertyAssignment(node.parent))
			names.add(node.text);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('built.js', script, ts.ScriptTarget.Latest, true));
	return names;
}

/** The names in a style sheet, grouped by the part of MDN's data to which they belong. */
function stylesIn(css: string) {
	const matches = (pattern: RegExp) => [...css.matchAll(pattern)].map(([, name = '']) => name);
	return {
		properties: matches(/[{;]([a-z][\w-]*):/g),
		selectors: matches(/::?([a-z-]+)(?=[^{}]*\{)/g),
		'at-rules': matches(/@([a-z-]+)/g),
		types: [...matches(/([a-z][\w-]*)\(/g), ...(/\bcolor\(\s*from /.test(css) ? ['relative_syntax of color'] : [])],
	};
}

function findings(): string[] {
	const data: Node = JSON.parse(
		readFileSync(join(import.meta.dirname, 'check/node_modules/@mdn/browser-compat-data/data.json'), 'utf8'),
	);
	const versions = promised();
	const folder = mkdtempSync(join(tmpdir(), 'widget-'));
	const manifest = buildWidget(folder);
	const scripts = [manifest.file, manifest.panel.file].map((file) => readFileSync(join(folder, file), 'utf8'));
	rmSync(folder, { recursive: true });
	const found: string[] = [];
	const look = (name: string, features: readonly Node[] | undefined) => {
		const lacks = lackedBy(features ?? [], versions);
		if (lacks.length > 0 && !Object.hasOwn(GUARDED, name) && !OWN.includes(name))
			found.push(`${name}: not in ${lacks.join(', ')}`);
	};

	const api = byName(below(data, 'api'));
	const builtins = byName(below(data, 'javascript', 'builtins'));
	for (const name of scripts.flatMap((script) => [...namesIn(script)]))
		look(name, [...(api.get(name) ?? []), ...(builtins.get(name) ?? [])]);

	const { STYLE, PANEL_STYLE } = widgetStyles();
	const styles = stylesIn(STYLE + PANEL_STYLE);
	const types = byName(below(data, 'css', 'types'));
	for (const name of styles.properties) look(name, [below(data, 'css', 'properties', name) ?? {}]);
	for (const name of styles.selectors) look(name, [below(data, 'css', 'selectors', name) ?? {}]);
	for (const name of styles['at-rules']) look(name, [below(data, 'css', 'at-rules', name) ?? {}]);
	for (const name of styles.types) {
		const relative =
			name === 'relative_syntax of color' && below(data, 'css', 'types', 'color', 'color', 'relative_syntax');
		look(name, relative ? [relative] : types.get(name));
	}
	return [...new Set(found)];
}

const found = findings();
if (found.length > 0) {
	console.log(
		'The widget uses features that a browser in the table of docs/widget-reference.md lacks. Avoid each, or guard it and list it in this check:',
	);
	console.log(found.join('\n'));
	process.exitCode = 1;
}
