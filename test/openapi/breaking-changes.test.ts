import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

// oasdiff compares docs/openapi.json with docs/openapi.released.json, the document of the newest release. A change that breaks
// clients needs an entry in CHANGELOG.md; docs/versioning.md says which changes v1 allows.

/** oasdiff's report of one breaking change. */
type Break = {
	readonly id: string;
	readonly text: string;
	readonly operation?: string;
	readonly path?: string;
	readonly section: string;
};

/** Allows for an empty cache of Go modules and builds on a busy machine. */
const LONG_MS = 540_000;
const root = join(import.meta.dirname, '../..');
/** The folder of oasdiff. Its go.sum pins oasdiff with all modules. */
const tool = join(import.meta.dirname, 'breaking-changes');
const released = join(root, 'docs/openapi.released.json');
const run = promisify(execFile);

const isInstalled = spawnSync('go', ['mod', 'download'], { cwd: tool, stdio: 'ignore', timeout: LONG_MS }).status === 0;

/** Fields with an enumeration whose description says that values may be added. */
function openMembers(): ReadonlySet<string> {
	const { components } = JSON.parse(readFileSync(released, 'utf8'));
	const schemas: Readonly<Record<string, { description?: string; properties?: Readonly<Record<string, unknown>> }>> =
		components.schemas;
	const isOpen = (schema: unknown): boolean => {
		const names = [...JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
		return names.some((name) => schemas[name]?.description?.includes('New values may be added') === true);
	};
	const members = Object.values(schemas).flatMap(({ properties = {} }) => Object.entries(properties));
	return new Set(members.filter(([, schema]) => isOpen(schema)).map(([name]) => name));
}

/** Whether our versioning allows the change: a new value in an enumeration that may grow. */
function isAllowed({ id, text }: Break, open: ReadonlySet<string>): boolean {
	const [, property = ''] = /enum value to the `([^`]*)` response property/.exec(text) ?? [];
	const names = property.replaceAll(/\w+\[[^\]]*\]/g, '').split('/');
	const member = names.findLast((name) => name !== '' && name !== 'items') ?? '';
	return id === 'response-property-enum-value-added' && open.has(member);
}

async function breaks(base: string, revision: string): Promise<readonly Break[]> {
	const { stdout } = await run('go', ['tool', 'oasdiff', 'breaking', base, revision, '-f', 'json'], {
		cwd: tool,
		maxBuffer: 64 * 1024 * 1024,
	});
	const found: readonly Break[] = stdout.trim() === '' ? [] : (JSON.parse(stdout) ?? []);
	const open = openMembers();
	return found.filter((one) => !isAllowed(one, open));
}

const placeOf = ({ operation, path, text }: Break): string => (path === undefined ? text : `${operation} ${path}`);

/** The breaking changes whose operation is not named under "### Breaking" in the changelog's unreleased part. */
function unannounced(found: readonly Break[], changelog: string): readonly string[] {
	const [unreleased = ''] = changelog.split('## Unreleased')[1]?.split(/^## /m) ?? [];
	const [announced = ''] = unreleased.split('### Breaking')[1]?.split(/^### /m) ?? [];
	return found.filter((one) => !announced.includes(`\`${placeOf(one)}\``)).map((one) => `${placeOf(one)}: ${one.text}`);
}

type Editable = {
	readonly paths: Record<string, Record<string, { parameters: object[] }>>;
	readonly webhooks: Record<string, object>;
	readonly components: {
		readonly schemas: Record<string, { properties: Record<string, object>; required: string[]; enum: string[] }>;
	};
};

(isInstalled ? describe : describe.skip)('a client of the released API', () => {
	let folder: string;
	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'breaking-changes-'));
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	async function breaksAfter(edit: (document: Editable) => void): Promise<readonly Break[]> {
		const document: Editable = JSON.parse(readFileSync(released, 'utf8'));
		edit(document);
		const file = join(folder, 'revision.json');
		writeFileSync(file, JSON.stringify(document));
		return breaks(released, file);
	}

	it('works with docs/openapi.json, or CHANGELOG.md names the operations that break it', async () => {
		const found = await breaks(released, join(root, 'docs/openapi.json'));
		expect(unannounced(found, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))).toEqual([]);
	});

	it.each<[string, (document: Editable) => void]>([
		[
			'a member of a response is removed',
			({ components: { schemas } }) => delete schemas['Call']?.properties['status'],
		],
		[
			'a parameter becomes required',
			({ paths }) => {
				const schema = { type: 'string' };
				paths['/calls']?.['get']?.parameters.push({ name: 'region', in: 'query', required: true, schema });
			},
		],
		['an operation is removed', ({ paths }) => delete paths['/calls']],
		['a closed enumeration grows', ({ components: { schemas } }) => schemas['CallStatus']?.enum.push('paused')],
		['a webhook is removed', ({ webhooks }) => delete webhooks['call.failed']],
	])('breaks when %s, unless the changelog says so', async (_change, edit) => {
		const found = await breaksAfter(edit);
		expect(unannounced(found, '## Unreleased\n### Breaking\n- Nothing.\n')).not.toEqual([]);
		const entries = found.map((one) => `- \`${placeOf(one)}\`\n`).join('');
		expect(unannounced(found, `## Unreleased\n### Breaking\n${entries}`)).toEqual([]);
	});

	it('keeps working when operations, fields and values of open enumerations are added', async () => {
		const found = await breaksAfter(({ paths, components: { schemas } }) => {
			Object.assign(paths, { '/new': { get: { operationId: 'new', responses: { 200: { description: 'New.' } } } } });
			Object.assign(schemas['Call']?.properties ?? {}, { language: { type: 'string' } });
			schemas['ProblemCode']?.enum.push('paused');
			schemas['FailureReason']?.enum.push('paused');
		});
		expect(found).toEqual([]);
	});
});
