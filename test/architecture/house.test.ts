import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { installTools } from '../../tools/install.ts';
import { type Cruise, checkImports } from './check-imports.ts';
import importRules from './import-rules.ts';

const repository = join(import.meta.dirname, '../..');
const sources = (pattern: string) =>
	globSync(pattern, { cwd: repository }).map((file) => ({ file, text: readFileSync(join(repository, file), 'utf8') }));

/** The import rules and the linter need the packages of `npm run check`. */
const describeCheck = installTools('check') ? describe : describe.skip;

function plant(root: string, tree: Readonly<Record<string, string>>): void {
	for (const [file, text] of Object.entries(tree)) {
		mkdirSync(dirname(join(root, file)), { recursive: true });
		writeFileSync(join(root, file), text);
	}
}

describeCheck('imports', () => {
	it('point inward, in every module of the repository', () => {
		const { read, existing, violations } = checkImports(repository);
		expect(violations).toEqual([]);
		expect(read).toBe(existing);
		expect(read).toBeGreaterThan(100);
	});
});

describe('the protocol of AWS', () => {
	/** Patterns for code that signs a request, names a header of AWS's protocol, or declares a type of its messages. */
	const spoken = {
		signing: /AWS4-HMAC|aws4_request|AWS4\$\{/,
		headers: /x-amz-(target|date|security-token)|x-amzn-errortype/i,
		shapes:
			/\b(TableName|KeyConditionExpression|QueueUrl|MessageBody|ReceiptHandle|CiphertextBlob|KeyId|SecretId)\??: *(string|number|readonly|Base64|z\.)/,
	};
	const breaches = (files: readonly { readonly file: string; readonly text: string }[]) =>
		files.flatMap(({ file, text }) =>
			Object.entries(spoken).flatMap(([what, pattern]) => (pattern.test(text) ? [`${file}: ${what}`] : [])),
		);

	it('is left to the SDK: no file of the product signs a request or declares the messages of AWS', () => {
		const product = sources('{shared,functions,ops,infra,local,packages,tools}/**/*.ts');
		expect(product.length).toBeGreaterThan(300);
		// The proxy acts as AWS: it reads the header in which the SDK names an operation, and responds with errors of SES. A receiver
		// may be behind AWS WAF or API Gateway, whose responses have headers of their own.
		const allowed = ['local/aws/aws-proxy.ts: headers', 'shared/domain/webhooks/intermediary.ts: headers'];
		expect(breaches(product)).toEqual(allowed);
	});

	it('is recognised in hand-written code', () => {
		const text = (line: string) => ({ file: 'a.ts', text: line });
		expect(breaches([text("const reach = [day, region, service, 'aws4_request']")])).toEqual(['a.ts: signing']);
		expect(breaches([text("const headers = { 'X-Amz-Target': target };")])).toEqual(['a.ts: headers']);
		expect(breaches([text('type Queue = { readonly QueueUrl: string };')])).toEqual(['a.ts: shapes']);
		expect(breaches([text('const Message = z.object({ ReceiptHandle: z.string() });')])).toEqual(['a.ts: shapes']);
		expect(breaches([text('send({ QueueUrl, TableName: client.table })')])).toEqual([]);
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

	it('applies across layers: a use case imports no domain code of an earlier room', () => {
		expect(found.violations).toContainEqual(expect.stringMatching(/^calls-imports-no-room-above: shared\/use-cases/));
	});

	it('counts a circle that only a type closes', () => {
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

describeCheck('the linter', () => {
	const offences: Readonly<Record<string, readonly [file: string, text: string, rule: string]>> = {
		'the whole of zod': [
			'shared/contract/a.ts',
			"import * as z from 'zod'; export const x = z;",
			'noRestrictedImports',
		],
		'zod that keeps its locales': [
			'shared/contract/b.ts',
			"import { z } from 'zod/mini'; export const x = z;",
			'noRestrictedImports',
		],
		'zod by its default': [
			'shared/contract/k.ts',
			"import z from 'zod/mini'; export const x = z;",
			'noRestrictedImports',
		],
		'a default export': ['shared/domain/c.ts', 'export default 1;', 'noDefaultExport'],
		'an enum': ['shared/domain/d.ts', 'export enum X { A }', 'noEnum'],
		'a barrel': ['shared/domain/e.ts', "export * from './id.ts';", 'noReExportAll'],
		any: ['shared/domain/f.ts', 'export const x = (y: any): unknown => y;', 'noExplicitAny'],
		'a line on the console': ['shared/use-cases/g.ts', "console.log('x');", 'noConsole'],
		'the environment, outside env.ts': ['shared/use-cases/h.ts', 'export const x = process.env;', 'noProcessEnv'],
		'fetch in an API function': ['functions/api/i.ts', "export const x = () => fetch('x');", 'noRestrictedGlobals'],
	};
	const root = mkdtempSync(join(tmpdir(), 'lint-'));
	let findings: string;
	beforeAll(() => {
		plant(root, Object.fromEntries(Object.values(offences).map(([file, text]) => [file, text])));
		const config: Record<string, unknown> = JSON.parse(readFileSync(join(repository, 'biome.json'), 'utf8'));
		writeFileSync(join(root, 'biome.json'), JSON.stringify({ ...config, vcs: {}, $schema: undefined }));
		const args = ['lint', '--colors=off', '--reporter=github', '--max-diagnostics=none'];
		findings = spawnSync(join(repository, 'tools/check/node_modules/.bin/biome'), args, {
			cwd: root,
			encoding: 'utf8',
		}).stdout;
	});
	afterAll(() => rmSync(root, { recursive: true }));

	it.each(Object.keys(offences))('refuses %s', (name) => {
		const [file, , rule] = offences[name] ?? ['', '', ''];
		const finding = findings.split('\n').find((line) => line.includes(`${file},`) && line.includes(rule));
		expect(finding).toMatch(/^::error/);
	});
});

describe('sources', () => {
	it('of the domain, the use cases and the edge take time and random values from ports', () => {
		const inner = sources('shared/{domain,use-cases,http,contract}/**/*.ts');
		const ambient = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandom(?:Bytes|UUID|Int)\(/;
		expect(inner.length).toBeGreaterThan(30);
		expect(inner.filter(({ text }) => ambient.test(text)).map(({ file }) => file)).toEqual([]);
	});
});

describe('what npm ci installs', () => {
	it('has no licence that asks for the source code of what is built with the package', () => {
		const Lock = z.object({ packages: z.record(z.string(), z.object({ license: z.optional(z.string()) })) });
		const { packages } = Lock.parse(JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')));
		// If a package offers a choice of two licences, we use it under the licence that asks for no source code.
		const wrong = Object.entries(packages).filter(
			([, { license = '' }]) => /GPL|SSPL/.test(license) && !/ OR /.test(license),
		);
		expect(wrong.map(([name, { license }]) => `${name}: ${license}`)).toEqual([]);
		expect(Object.keys(packages).length).toBeGreaterThan(300);
	});
});
