import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from '@jest/globals';
import { installTools } from '../../tools/install.ts';
import { pack } from '../../tools/packages/pack.ts';

const tools = resolve(import.meta.dirname, '../../tools/next-page');
// Next finds its packages above the site. The name begins with a dot, so that no check of the sources reads it meanwhile.
const site = mkdtempSync(join(tools, '.site-'));
afterAll(() => rmSync(site, { recursive: true, force: true }));

const LAYOUT = 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;';
const PAGE = `
	import { CallBack } from '@call-back/widget/react';
	export default () => <CallBack workspaceKey="wk" baseUrl="https://api.example/v1" className="corner" inline />;`;

it('an App Router page of Next, rendered on the server, has the element with its attributes', async () => {
	if (!installTools('next-page')) return void process.stderr.write('skipped\n');
	await pack(join(site, 'packages'));
	cpSync(join(site, 'packages/widget'), join(site, 'node_modules/@call-back/widget'), { recursive: true });
	mkdirSync(join(site, 'app'));
	writeFileSync(join(site, 'package.json'), '{ "private": true }');
	writeFileSync(join(site, 'next.config.mjs'), `export default { turbopack: { root: ${JSON.stringify(tools)} } };`);
	writeFileSync(join(site, 'app/layout.jsx'), LAYOUT);
	writeFileSync(join(site, 'app/page.jsx'), PAGE);
	const env = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' };
	const next = join(tools, 'node_modules/next/dist/bin/next');
	await promisify(execFile)(process.execPath, [next, 'build'], { cwd: site, env });
	const page = readFileSync(join(site, '.next/server/app/index.html'), 'utf8');
	expect(/<call-back-widget[^>]*>/.exec(page)?.[0]).toBe(
		'<call-back-widget workspace-key="wk" base-url="https://api.example/v1" inline="" class="corner">',
	);
}, 300_000);
