import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { installTools } from '../../tools/install.ts';
import { COMPOSING_FOLDERS, type Cruise, checkImports, wrongCircles } from './check-imports.ts';
import { folderCircles } from './folder-circles.ts';
import importRules from './import-rules.ts';
import { plant } from './plant.ts';

const repository = join(import.meta.dirname, '../..');
/** These tests need the packages of `npm run check`. */
const describeCheck = installTools('check') ? describe : describe.skip;

describeCheck('the imports of the repository', () => {
	// Reading every module takes seconds, so it is done once for both tests.
	let found: Cruise;
	beforeAll(() => {
		found = checkImports(repository);
	});

	it('point inward, in every module', () => {
		const { read, existing, violations } = found;
		expect(violations).toEqual([]);
		expect(read).toBe(existing);
		expect(read).toBeGreaterThan(100);
	});

	it('form no circle of folders, except in at most twelve folders, each with a stated reason', () => {
		expect(wrongCircles(found.circles)).toEqual([]);
		expect(Object.keys(COMPOSING_FOLDERS).length).toBeLessThanOrEqual(12);
	});
});

describeCheck('each import rule', () => {
	/** A source tree that breaks each rule once, and contains similar imports that are allowed. */
	const tree: Readonly<Record<string, string>> = {
		'shared/domain/a.ts': "import 'node:fs';",
		'shared/domain/c.ts': "import 'esbuild';",
		'shared/domain/b.ts': "import 'node:crypto'; export const b = 1; export type B = number;",
		'shared/domain/dead-letters/a.ts': "import '../kernel/a.ts';",
		'shared/domain/retention/a.ts': "import '../dead-letters/a.ts';",
		'shared/domain/trace/a.ts': "import '../retention/a.ts';",
		'shared/domain/desk/a.ts': "import '../trace/a.ts';",
		'shared/domain/leads/a.ts': "import '../desk/a.ts';",
		'shared/domain/notices/a.ts': "import '../leads/a.ts';",
		'shared/domain/widget/a.ts': "import '../notices/a.ts';",
		'shared/domain/calls/a.ts': "import '../widget/a.ts';",
		'shared/domain/workspaces/a.ts': "import '../calls/a.ts';",
		'shared/domain/access/a.ts': "import '../workspaces/a.ts';",
		'shared/domain/webhooks/a.ts': "import '../access/a.ts';",
		'shared/domain/kernel/a.ts': 'export const a = 1;',
		'shared/domain/kernel/b.ts': "import '../webhooks/a.ts';",
		'shared/use-cases/calls/a.ts': "import '../../domain/widget/a.ts';",
		'shared/domain/ring-1.ts': "import './ring-2.ts';",
		'shared/domain/ring-2.ts': "import './ring-1.ts';",
		'shared/domain/type-ring-1.ts': "import { r } from './type-ring-2.ts'; export type R = typeof r;",
		'shared/domain/type-ring-2.ts': "import type { R } from './type-ring-1.ts'; export const r: R | 1 = 1;",
		'shared/ports/a.ts': "import '../adapters/a.ts';",
		'shared/contract/a.ts': "import '../ports/b.ts';",
		'shared/presentation/a.ts': "import '../use-cases/b.ts';",
		'shared/ports/b.ts': "import type { B } from '../domain/b.ts'; export type C = B;",
		'shared/use-cases/a.ts': "import '../adapters/a.ts';",
		'shared/use-cases/b.ts': "import '../domain/b.ts'; import '../ports/b.ts';",
		'shared/adapters/a.ts': "import '../use-cases/b.ts';",
		'shared/http/a.ts': "import '../adapters/a.ts';",
		'functions/api/a.ts': "import '../../shared/adapters/a.ts';",
		'functions/api/b.ts': "import 'esbuild';",
		'infra/a.ts': "import '../shared/use-cases/b.ts';",
		'local/a.ts': "import '../functions/api/b.ts';",
		'packages/widget/a.ts': "import { b } from '../../shared/domain/b.ts'; export const c = b;",
		'packages/widget/b.ts': "import type { B } from '../../shared/domain/b.ts'; export type C = B;",
		'packages/client/a.ts': "import { b } from '../../shared/domain/b.ts'; export const c = b;",
		'packages/client/b.ts': "import type { B } from '../../shared/domain/b.ts'; export type C = B;",
		'packages/cdk/a.ts': "import '../../shared/domain/b.ts';",
		'examples/a.ts': "import '../shared/domain/b.ts';",
		'ops/a.ts': "import '../test/a.ts';",
		'ops/b.ts': "import './missing.ts';",
		'test/a.ts': "import '../shared/adapters/a.ts';",
		'package.json': '{ "devDependencies": { "esbuild": "*" } }',
		'node_modules/esbuild/package.json': '{ "name": "esbuild", "main": "index.js" }',
		'node_modules/esbuild/index.js': '',
	};
	const root = mkdtempSync(join(tmpdir(), 'imports-'));
	let found: Cruise;
	beforeAll(() => {
		plant(root, tree);
		found = checkImports(root);
	});
	afterAll(() => rmSync(root, { recursive: true }));

	it.each(importRules.forbidden.map(({ name }) => name))('reports its violation: %s', (name) => {
		expect(found.violations.filter((violation) => violation.startsWith(`${name}:`))).not.toEqual([]);
	});

	it('applies to packages, too: the domain imports none', () => {
		expect(found.violations).toContainEqual(expect.stringMatching(/^domain-is-pure: shared\/domain\/c\.ts/));
	});

	it('applies across layers: a use case of one room (a part of the product, such as calls) imports no domain code of a room above it', () => {
		expect(found.violations).toContainEqual(expect.stringMatching(/^calls-imports-no-room-above: shared\/use-cases/));
	});

	it('counts a circle that only the import of a type closes', () => {
		expect(found.violations).toContainEqual(expect.stringMatching(/^no-cycle: shared\/domain\/type-ring-1\.ts/));
	});

	it('accepts allowed imports', () => {
		const offenders = found.violations.map((violation) => violation.split(' ')[1] ?? '');
		for (const file of [
			'shared/domain/b.ts',
			'shared/domain/dead-letters/a.ts',
			'shared/ports/b.ts',
			'shared/use-cases/b.ts',
			'packages/widget/b.ts',
			'packages/client/b.ts',
			'test/a.ts',
		]) {
			expect(offenders).not.toContain(file);
		}
	});
});

const LAYERS = [
	'shared/domain',
	'shared/ports',
	'shared/contract',
	'shared/use-cases',
	'shared/adapters',
	'shared/http',
	'shared/presentation',
	'functions',
	'infra',
	'local',
	'ops',
	'packages',
	'examples',
	'tools',
	'test',
];

describeCheck('circles of folders', () => {
	const root = mkdtempSync(join(tmpdir(), 'folders-'));
	let found: Cruise;
	beforeAll(() => {
		const tree = LAYERS.flatMap((layer) =>
			Object.entries({
				// No two files import each other, but the folders `one` and `two` do. One of their two imports is only of a type.
				[`${layer}/one/a.ts`]: "import { b } from '../two/b.ts'; export const a = b;",
				[`${layer}/two/b.ts`]: 'export const b = 1;',
				[`${layer}/two/c.ts`]: "import type { D } from '../one/deep/d.ts'; export const c: D = 1;",
				[`${layer}/one/deep/d.ts`]: 'export type D = number;',
				[`${layer}/both/ground.ts`]: 'export const ground = 1;',
				[`${layer}/both/wall/e.ts`]: "import { ground } from '../ground.ts'; export const wall = ground;",
				[`${layer}/both/roof.ts`]: "import { wall } from './wall/e.ts'; export const roof = wall;",
			}),
		);
		plant(root, Object.fromEntries(tree));
		found = checkImports(root);
	});
	afterAll(() => rmSync(root, { recursive: true }));

	it.each(LAYERS)('are found in %s, even if only a type closes them', (layer) => {
		expect(found.circles.named).toContain(`${layer}: one, two`);
		expect(wrongCircles(found.circles)).toContain(`folders need each other in ${layer}: one, two`);
	});

	it.each(LAYERS)('are found in %s, if a folder’s own files and a folder in it import each other', (layer) => {
		expect(wrongCircles(found.circles)).toContain(
			`${layer}/both: its own files import a folder in it that imports them`,
		);
	});

	it('are found at the top level, and across three folders', () => {
		const arrows = (...pairs: readonly string[]) =>
			folderCircles(pairs.map((pair) => pair.split(' ')).map(([from = '', to = '']) => ({ from, to })));
		expect(arrows('a/x.ts b/x.ts', 'b/y.ts a/y.ts')).toEqual({ named: ['/: a, b'], own: [] });
		const three = arrows('s/a/x.ts s/b/x.ts', 's/b/y.ts s/c/x.ts', 's/c/y.ts s/a/y.ts', 's/c/y.ts s/d/x.ts');
		expect(three).toEqual({ named: ['s: a, b, c'], own: [] });
		expect(arrows('s/a/x.ts s/b/x.ts', 's/b/y.ts s/c/x.ts', 's/a.ts s/a/x.ts')).toEqual({ named: [], own: [] });
	});
});
