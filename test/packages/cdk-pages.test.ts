import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { copyPages, pageOfPackage } from '../../tools/packages/cdk-pages.ts';

// The pages in the construct's package name the package's commands. If a page also names commands of this repository, it says
// so.

const folder = mkdtempSync(join(tmpdir(), 'pages-'));
afterAll(() => rmSync(folder, { recursive: true }));
copyPages(folder);
const pages = readdirSync(join(folder, 'docs')).map(
	(name) => [name, readFileSync(join(folder, 'docs', name), 'utf8')] as const,
);

const REMARK = '> `npm run` and `npm start` need a clone of the repository';

describe.each(pages)('%s in the package', (_, text) => {
	it('names no command and no file of a clone for which the package has its own', () => {
		expect(text).not.toMatch(/npm run (--silent )?(ops|smoke|preflight|deploy|bootstrap)\b/);
		expect(text).not.toMatch(/deployment\.json|(deployment|staging)\.config\.json|DEPLOYMENT_CONFIG/);
		expect(text).not.toMatch(/(?<!node_modules\/@call-back\/cdk\/|\.\.\/)infra\/policies\//);
	});

	it('says at its beginning that some commands need a clone, if it names such commands', () => {
		expect(text.includes(REMARK)).toBe(/\bnpm (run|start)\b/.test(text.replace(REMARK, '')));
	});
});

it('a page of the package names cdk deploy instead of npm run deploy, and the file that cdk deploy writes', () => {
	const text =
		'# Page\n\nnpm run deploy -- --require-approval never\n`npm run deploy`, then `npm run --silent ops -- dlq list --outputs deployment.json`\n';
	expect(pageOfPackage(text)).toBe(
		'# Page\n\nnpx cdk deploy --outputs-file outputs.json --require-approval never\n`npx cdk deploy --outputs-file outputs.json`, then `npx @call-back/cdk ops dlq list --outputs outputs.json`\n',
	);
});
