import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openApiDocument } from '../../shared/contract/openapi.ts';
import { routes } from '../../shared/contract/routes.ts';
import { parseTimeRange } from '../../shared/domain/kernel/time-range.ts';
import { generateFrom } from '../../tools/packages/wire-types.ts';
import {
	document,
	documentFile,
	documentText,
	type Example,
	operations,
	resolved,
	violation,
} from '../support/openapi-document.ts';

const runFile = promisify(execFile);
const project = join(import.meta.dirname, '../..');
const { components } = document;

async function mistakesIn(text: string): Promise<unknown> {
	const { valid, errors } = await new Validator().validate(JSON.parse(text));
	return valid ? null : errors;
}

describe('docs/openapi.json', () => {
	it('matches the route table and the schemas (node tools/generate/openapi.ts rewrites it)', () => {
		expect(documentText).toBe(`${JSON.stringify(openApiDocument(), null, 2)}\n`);
	});

	it('is valid OpenAPI 3.1 for an independent validator', async () => {
		expect(await mistakesIn(documentText)).toBeNull();
		expect(await mistakesIn(documentText.replace('"operationId"', '"operation_id"'))).not.toBeNull();
	});

	it('has nothing that linters report: no tabs, nothing unused, and a security setting for every webhook', () => {
		expect(documentText).not.toContain('\t');
		const { schemas, parameters, responses, examples } = components;
		const named = Object.entries({ schemas, parameters, responses, examples }).flatMap(([kind, all]) =>
			Object.keys(all).map((name) => `#/components/${kind}/${name}`),
		);
		expect(named.filter((ref) => !documentText.includes(`"$ref": "${ref}"`))).toEqual([]);
		for (const { post } of Object.values(document.webhooks)) expect(post).toHaveProperty('security', []);
		// A generator that reads only `paths` would drop a schema to which only `webhooks` refer.
		const paths = JSON.stringify(document.paths);
		expect(['CallEvent', 'CallbackEvent'].filter((name) => !paths.includes(`schemas/${name}"`))).toEqual([]);
	});

	it('has every route for clients, and no other route', () => {
		const inTable = routes
			.filter(({ surface }) => !['provider', 'team', 'desk'].includes(surface))
			.map(({ operation }) => operation);
		expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual([...inTable].sort());
	});

	it('contains every schema once: bodies are references to components', () => {
		const bodies = operations.flatMap(({ operation }) => [
			...Object.values(operation.requestBody?.content ?? {}),
			...Object.values(operation.responses).flatMap((response) => Object.values(resolved(response).content ?? {})),
		]);
		expect(bodies.length).toBeGreaterThan(100);
		for (const { schema } of bodies) expect(Object.keys(schema)).toEqual(['$ref']);
		const texts = Object.values(components.schemas)
			.filter(({ properties }) => properties !== undefined)
			.map((schema) => JSON.stringify({ ...schema, description: '' }));
		expect(new Set(texts).size).toBe(texts.length);
	});

	it('describes every schema that has a name, and every field of each', () => {
		const wrapped = (name: string) => /(Response|List)$/.test(name);
		const bare = Object.entries(components.schemas).flatMap(([name, schema]) => {
			const members = Object.entries(schema.properties ?? {}).filter(([field]) => !(wrapped(name) && field === 'data'));
			return members.filter(([, { description }]) => !description).map(([field]) => `${name}.${field}`);
		});
		expect(bare).toEqual([]);
	});
});

describe('every example', () => {
	const all: [where: string, example: Example, schema: object][] = operations.flatMap(({ operation }) => {
		const contents = [
			operation.requestBody?.content ?? {},
			...Object.values(operation.responses).map((response) => resolved(response).content ?? {}),
		];
		return contents.flatMap((content) =>
			Object.values(content).flatMap(({ schema, examples = {} }) =>
				Object.values(examples).map((example): [string, Example, object] => [
					operation.operationId,
					resolved(example),
					schema,
				]),
			),
		);
	});

	it('exists for each request body and each response', () => {
		for (const { operation } of operations) {
			const { requestBody, responses } = operation;
			const contents = [
				requestBody?.content,
				...Object.values(responses).map((response) => resolved(response).content),
			];
			for (const media of contents.flatMap((content) => Object.values(content ?? {}))) {
				expect([operation.operationId, Object.keys(media.examples ?? {}).length]).not.toEqual([
					operation.operationId,
					0,
				]);
			}
		}
		expect(all.length).toBeGreaterThan(200);
	});

	it('fits its schema', () => {
		const wrong = all.map(([where, { value }, schema]) => [where, violation(value, schema)]);
		expect(wrong.filter(([, why]) => why !== null)).toEqual([]);
		const parameters = Object.values(components.parameters).filter(({ example }) => example !== undefined);
		for (const { example, ...parameter } of parameters) {
			expect(violation(example, (parameter as unknown as { schema: object }).schema)).toBeNull();
		}
		const events = Object.values(document.webhooks).map(({ post }) => Object.values(post.requestBody.content)[0]);
		expect(events.map(({ example, schema }) => violation(example, schema))).toEqual(events.map(() => null));
	});

	it('is a request that the API accepts: all query parameters at once, and each body', () => {
		for (const route of routes) {
			const found = operations.find(({ operation }) => operation.operationId === route.operation);
			if (found === undefined) continue;
			const parameters = (found.operation.parameters ?? []).map((given) => resolved(given));
			const shown = parameters.flatMap((given) => ('example' in given && given.in === 'query' ? [given] : []));
			const query = Object.fromEntries(shown.map(({ name, example }) => [name, example]));
			const given = { ...(route.operation === 'get-widget-config' && { workspace_key: 'wk_1' }), ...query };
			expect([route.operation, route.query.safeParse(given).error]).toEqual([route.operation, undefined]);
			expect(parseTimeRange(query)).not.toHaveProperty('refused');
			for (const { examples = {} } of Object.values(found.operation.requestBody?.content ?? {})) {
				for (const example of Object.values(examples)) {
					expect([route.operation, route.body.safeParse(resolved(example).value).error]).toEqual([
						route.operation,
						undefined,
					]);
				}
			}
		}
		const names = ['from', 'to'];
		expect(names.filter((name) => components.parameters[name]?.example === undefined)).toEqual([]);
	});

	it('is really compared with its schema: a wrong value is found', () => {
		const [, , schema] = all.find(([where]) => where === 'get-call') ?? ['', {}, {}];
		expect(violation({ data: { id: 'x' } }, schema)).not.toBeNull();
	});
});

describe('a client from an independent generator', () => {
	const directory = mkdtempSync(join(tmpdir(), 'generated-'));
	beforeAll(async () => {
		await generateFrom(documentFile, join(directory, 'client'));
	});
	afterAll(() => rmSync(directory, { recursive: true }));

	const use = `
		import { createWebhookEndpoint, getCall, listCalls, type Call, type CallEvent } from './client/index';
		export async function use(): Promise<readonly Call[]> {
			const made = await createWebhookEndpoint({ body: { url: 'https://a.example', events: ['call.failed'] }, throwOnError: true });
			const kept: string = made.data.data.secret;
			const one = await getCall({ path: { id: kept } });
			const code = one.error?.code === 'not_found';
			const failed = (event: CallEvent): boolean => event.event === 'call.failed';
			const listed = await listCalls({ query: { status: ['completed', 'failed'], limit: 5 }, throwOnError: true });
			return code || [].some(failed) ? [] : listed.data.data;
		}`;

	async function compiled(source: string): Promise<string> {
		writeFileSync(join(directory, 'use.ts'), source);
		const compilerOptions = {
			strict: true,
			noEmit: true,
			target: 'es2024',
			lib: ['es2024', 'dom', 'dom.iterable'],
			module: 'esnext',
			moduleResolution: 'bundler',
			types: [],
			skipDefaultLibCheck: true,
		};
		writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
		const tsc = join(project, 'node_modules/typescript/bin/tsc');
		const result = await runFile(process.execPath, [tsc, '-p', directory]).catch((error: { stdout: string }) => error);
		return result.stdout;
	}

	it('compiles, with the types that a user expects', async () => {
		expect(await compiled(use)).toBe('');
	});

	it('refuses to compile what the API would refuse', async () => {
		expect(await compiled(use.replace("'call.failed'] }", "'call.started'] }"))).toMatch(/call\.started/);
	});
});
