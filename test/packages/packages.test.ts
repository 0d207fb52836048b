import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { installTools } from '../../tools/install.ts';
import { pack } from '../../tools/packages/pack.ts';
import { emptyProject } from './empty-project.ts';
import { majors, nodeOf } from './runtimes.ts';

// Installs the tarballs in an empty project, as a customer would.

/** Each of these linters exits with an error if it finds a fault. */
const LINTERS = join(import.meta.dirname, '../../tools/package-linters/node_modules/.bin');
const folder = mkdtempSync(join(tmpdir(), 'packages-'));
let tarballs: Awaited<ReturnType<typeof pack>>;
let project: Awaited<ReturnType<typeof emptyProject>>;
beforeAll(async () => {
	tarballs = await pack(folder);
	project = await emptyProject([tarballs.client, tarballs.widget]);
});
afterAll(() => {
	project?.remove();
	rmSync(folder, { recursive: true, force: true });
});

const body = '{"id":"e","event":"call.completed","created_at":"2026-01-01T00:00:00.000Z","data":{"id":"c"}}';
/** A program that verifies a webhook, creates a client, and imports the widget without a DOM. */
const program = (imports: string) => {
	const t = 1_767_225_600;
	const v1 = createHmac('sha256', 'whsec').update(`${t}.${body}`).digest('hex');
	return `${imports}
		const input = { body: ${JSON.stringify(body)}, header: 't=${t},v1=${v1}', secret: 'whsec' };
		const client = callBackClient({
			base_url: 'https://api.example/v1',
			api_key: 'k',
			fetch: async () => Response.json({ code: 'not_found' }, { status: 404 }),
		});
		defineCallBackWidget();
		client.calls.get('x').catch((error) => {
			const { verified } = verifyWebhook(input, ${t * 1000});
			console.log(verified, error instanceof ApiError, error.code, typeof CallBackWidget);
		});`;
};
const esm = program(`
	import { ApiError, callBackClient } from '@call-back/client';
	import { verifyWebhook } from '@call-back/client/webhooks';
	import { CallBackWidget, defineCallBackWidget } from '@call-back/widget';`);
const cjs = program(`
	const { ApiError, callBackClient } = require('@call-back/client');
	const { verifyWebhook } = require('@call-back/client/webhooks');
	const { CallBackWidget, defineCallBackWidget } = require('@call-back/widget');`);

describe.each(majors)('on Node.js %i', (major) => {
	it('both packages run, imported and required', async () => {
		const node = await nodeOf(major);
		if (node === null) return console.warn(`missing: Node.js ${major}`);
		expect(await project.execute(node, 'program.mjs', esm)).toBe('true true not_found function');
		expect(await project.execute(node, 'program.cjs', cjs)).toBe('true true not_found function');
	});
});

describe('for TypeScript', () => {
	const use = `
		import { type Call, ApiError, callBackClient, type Filters } from '@call-back/client';
		import { verifyWebhook } from '@call-back/client/webhooks';
		import { type CallBackWidget, defineCallBackWidget, type CallBackState } from '@call-back/widget';
		import { createElement, createRef, type JSX } from 'react';
		import { CallBack } from '@call-back/widget/react';
		const client = callBackClient({ base_url: 'https://api.example/v1', api_key: 'k' });
		export async function use(element: HTMLElement): Promise<Call[]> {
			const filters: Filters<'list-calls'> = { status: ['completed', 'failed'], from: new Date(), limit: 5 };
			const calls: Call[] = [];
			for await (const call of client.calls.all(filters)) calls.push(call);
			const made = await client.webhookEndpoints.create({ url: 'https://hooks.example.com', events: ['call.failed'] });
			const secret: string = made.secret;
			const verified = verifyWebhook({ body: new Uint8Array(), header: null, secret });
			if (verified.verified) console.log(verified.event.event satisfies string);
			await client.callbackLeads.update('x', { status: 'handled' }).catch((error) => {
				if (error instanceof ApiError && error.code === 'not_found') throw error;
			});
			defineCallBackWidget();
			element.addEventListener('callback:state', ({ detail }) => console.log(detail.state satisfies CallBackState));
			document.createElement('call-back-widget').open();
			return calls;
		}
		const ref = createRef<CallBackWidget>();
		export const element = createElement(CallBack, { ref, className: 'corner', workspaceKey: 'wk', baseUrl: 'https://api.example/v1', inline: true });
		export const tag = createElement('call-back-widget', { 'workspace-key': 'wk', 'base-url': 'https://api.example/v1' } satisfies JSX.IntrinsicElements['call-back-widget']);
		ref.current?.open();`;

	it.each([
		['nodenext', 'program.mts', { module: 'nodenext', moduleResolution: 'nodenext' }],
		['nodenext as CommonJS', 'program.cts', { module: 'nodenext', moduleResolution: 'nodenext' }],
		['bundler', 'program.ts', { module: 'esnext', moduleResolution: 'bundler' }],
	])('the types of both packages pass tsc --strict with %s', async (_, file, settings) => {
		expect(await project.typeErrors(file, use, settings)).toBe('');
	});

	it.each([
		['nodenext', 'plain.mts', { module: 'nodenext', moduleResolution: 'nodenext' }],
		['nodenext as CommonJS', 'plain.cts', { module: 'nodenext', moduleResolution: 'nodenext' }],
		['bundler', 'plain.ts', { module: 'esnext', moduleResolution: 'bundler' }],
	])(
		"the widget's main entry needs no types of React, in a project without them, with %s",
		async (_, file, settings) => {
			const plain = `
			import { type CallBackWidget, defineCallBackWidget, type CallBackStateDetail } from '@call-back/widget';
			defineCallBackWidget();
			const element: CallBackWidget = document.createElement('call-back-widget');
			element.addEventListener('callback:state', ({ detail }) => console.log(detail satisfies CallBackStateDetail));`;
			expect(await project.typeErrors(file, plain, { ...settings, paths: {} })).toBe('');
		},
	);

	it('a wrong status, body or event kind does not compile', async () => {
		const wrong = `
			import { callBackClient } from '@call-back/client';
			const client = callBackClient({ base_url: 'https://api.example/v1', api_key: 'k' });
			void client.calls.list({ status: 'done' });
			void client.callbackLeads.update('x', { status: 'closed' });
			void client.webhookEndpoints.create({ url: 'https://hooks.example.com', events: ['call.lost'] });`;
		const errors = await project.typeErrors('wrong.ts', wrong, { module: 'esnext', moduleResolution: 'bundler' });
		expect(errors.split('\n').filter((line) => line.includes('error TS'))).toHaveLength(3);
	});
});

describe.each(['client', 'widget', 'cdk'] as const)('the package of the %s', (name) => {
	it('passes publint and has no wrong types', () => {
		if (!installTools('package-linters')) return void process.stderr.write('skipped\n');
		const lint = (program: string, ...args: readonly string[]): string =>
			execFileSync(join(LINTERS, program), args, { encoding: 'utf8' });
		lint('publint', 'run', join(folder, name), '--strict', '--level', 'warning', '--pack', 'false');
		// The module resolution of Node.js versions before 12 is not checked, because it ignores `exports`.
		const { analysis } = JSON.parse(lint('attw', tarballs[name], '--format', 'json', '--profile', 'node16'));
		expect(analysis).toMatchObject({ packageName: `@call-back/${name}`, types: { kind: 'included' } });
	});

	it('has no dependencies, and records its version and commit', () => {
		const manifest = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'));
		const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
		expect(manifest).toMatchObject({ version, sideEffects: false, gitHead: expect.stringMatching(/^[0-9a-f]{40}$/) });
		expect(manifest.dependencies).toBeUndefined();
	});
});

it('the package of the construct lists the packages that it contains, with their licences, in the CycloneDX format', () => {
	const sbom = JSON.parse(readFileSync(join(folder, 'cdk/sbom.cdx.json'), 'utf8'));
	const names: readonly string[] = sbom.components.map(({ name }: { readonly name: string }) => name);
	expect(names).toEqual(expect.arrayContaining(['@aws-sdk/client-dynamodb', 'commander', 'libphonenumber-js', 'zod']));
	const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
	// These packages must not be for development only, because the weekly `npm audit` leaves those out.
	expect(names.filter((name) => packages[`node_modules/${name}`]?.dev === true)).toEqual([]);
	const licences = readFileSync(join(folder, 'cdk/THIRD-PARTY-LICENSES.txt'), 'utf8').split('\n');
	const unnamed = sbom.components.filter(
		({ name, version }: { readonly name: string; readonly version: string }) =>
			!licences.includes(`${name} ${version}`),
	);
	expect(unnamed).toEqual([]);
	for (const name of ['client', 'widget']) expect(existsSync(join(folder, name, 'sbom.cdx.json'))).toBe(false);
	if (!installTools('package-linters')) return void process.stderr.write('skipped\n');
	const schemas = join('tools/package-linters/node_modules/@cyclonedx/cyclonedx-library/res/schema');
	const schema = (name: string): object =>
		JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8'));
	const ajv = new Ajv({ strict: false });
	formats.default(ajv);
	for (const name of ['idn-email', 'iri-reference']) ajv.addFormat(name, true);
	for (const name of ['spdx', 'jsf-0.82'])
		ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
	const isValid = ajv.compile(schema('bom-1.6'));
	expect([isValid(sbom), isValid.errors]).toEqual([true, null]);
	expect(isValid({ ...sbom, components: [{ name: 'zod' }] })).toBe(false);
});
