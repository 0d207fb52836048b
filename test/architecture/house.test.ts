import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { installTools } from '../../tools/install.ts';
import { plant } from './plant.ts';

const repository = join(import.meta.dirname, '../..');
const sources = (pattern: string) =>
	globSync(pattern, { cwd: repository }).map((file) => ({ file, text: readFileSync(join(repository, file), 'utf8') }));

/** The linter needs the packages of `npm run check`. */
const describeCheck = installTools('check') ? describe : describe.skip;

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

	it('is found by this check in code that was written by hand', () => {
		const text = (line: string) => ({ file: 'a.ts', text: line });
		expect(breaches([text("const reach = [day, region, service, 'aws4_request']")])).toEqual(['a.ts: signing']);
		expect(breaches([text("const headers = { 'X-Amz-Target': target };")])).toEqual(['a.ts: headers']);
		expect(breaches([text('type Queue = { readonly QueueUrl: string };')])).toEqual(['a.ts: shapes']);
		expect(breaches([text('const Message = z.object({ ReceiptHandle: z.string() });')])).toEqual(['a.ts: shapes']);
		expect(breaches([text('send({ QueueUrl, TableName: client.table })')])).toEqual([]);
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
