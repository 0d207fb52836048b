import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { installTools } from '../../tools/install.ts';
import { document, documentFile } from '../support/openapi-document.ts';

// Common linters of OpenAPI documents, with their recommended rules. Each linter also gets a document with a fault, so that we
// notice a linter that checks nothing.

const repository = join(import.meta.dirname, '../..');
const API_LINTERS = 'tools/api-linters/node_modules/.bin';
const directory = mkdtempSync(join(tmpdir(), 'linters-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The API document with a path parameter that no operation declares. */
const faulty = join(directory, 'faulty.json');
writeFileSync(faulty, JSON.stringify({ ...document, paths: { '/calls/{nothing}': document.paths['/calls'] } }));

/** Runs a linter offline and without telemetry. Returns its output, whatever its exit code. */
const printed = (program: string, args: readonly string[]) =>
	new Promise<string>((resolve) => {
		const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
		execFile(join(repository, API_LINTERS, program), args, { env, maxBuffer: 64_000_000 }, (_, out) => resolve(out));
	});

type Found = { readonly file: string; readonly error: boolean; readonly rule: string };

async function redocly(): Promise<readonly Found[] | null> {
	if (!installTools('api-linters')) return null;
	const args = ['lint', '--extends=recommended', '--format=json', '--max-problems=1000'];
	const found = [documentFile, faulty].map(async (file) => {
		const { problems } = JSON.parse(await printed('redocly', [...args, file]));
		return problems.map(({ severity, ruleId }: { readonly severity: string; readonly ruleId: string }) => ({
			file,
			error: severity === 'error',
			rule: ruleId,
		}));
	});
	return (await Promise.all(found)).flat();
}

async function spectral(): Promise<readonly Found[] | null> {
	if (!installTools('api-linters')) return null;
	const ruleset = join(directory, 'ruleset.yaml');
	writeFileSync(ruleset, 'extends: ["spectral:oas"]\n');
	const results = JSON.parse(await printed('spectral', ['lint', '-r', ruleset, '-f', 'json', documentFile, faulty]));
	type Result = { readonly severity: number; readonly code: string; readonly source: string };
	return results.map(({ severity, code, source }: Result) => ({ file: source, error: severity === 0, rule: code }));
}

/** Warnings that we accept: the document has no licence and no contact, and a receiver may refuse an event with any status. */
it.each([
	['Redocly', redocly, ['info-license', 'operation-4xx-response']],
	['Spectral', spectral, ['info-contact']],
])(
	'%s finds no error with its recommended rules, and warns only about deliberate choices',
	async (_, lint, decided) => {
		const found = await lint();
		if (found === null) return void process.stderr.write('skipped\n');
		const inFaulty = found.filter(({ file }) => file.endsWith('faulty.json'));
		expect(inFaulty.some(({ error }) => error)).toBe(true);
		const ours = found.filter((one) => !inFaulty.includes(one));
		expect(ours.filter(({ error }) => error)).toEqual([]);
		expect([...new Set(ours.map(({ rule }) => rule))].sort()).toEqual(decided);
	},
	480_000,
);
