import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';

// In some checkouts, node_modules is a link: some package managers create one, and so does our test of a new clone.

const root = resolve(import.meta.dirname, '../..');
const checkout = mkdtempSync(join(tmpdir(), 'linked-'));
afterAll(() => rmSync(checkout, { recursive: true }));

it('the bundles of the functions contain their numbering plans even if node_modules is a link', () => {
	const sources = ['functions', 'shared', 'infra', 'local', 'packages', 'docs/openapi.json', 'package.json'];
	for (const name of sources) cpSync(join(root, name), join(checkout, name), { recursive: true });
	symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
	execFileSync(process.execPath, ['infra/bundle/functions.ts'], { cwd: checkout });
	const bundle = join(checkout, 'dist/functions/request-call');
	expect(readFileSync(join(bundle, 'index.js'), 'utf8')).toContain('numbering-plans.json');
	expect(existsSync(join(bundle, 'numbering-plans.json'))).toBe(true);
});
