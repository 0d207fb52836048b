import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, expect, it } from '@jest/globals';
import { installTools } from '../../tools/install.ts';
import { pack } from '../../tools/packages/pack.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { says, startScripted } from '../support/scripted-server.ts';
import { eventually } from '../support/stack/api.ts';

const tools = resolve(import.meta.dirname, '../../tools/next-page');
// The site is in tools/, because Next looks for its packages in the folders above. The name begins with a dot, so that no check
// of the sources reads the folder during the test.
const site = mkdtempSync(join(tools, '.site-'));
const stops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));
afterAll(() => rmSync(site, { recursive: true, force: true }));

const JSON_TYPE = { 'content-type': 'application/json' };
const LAYOUT = 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;';
const PAGE = `
	import { CallBack } from '@call-back/widget/react';
	export default () => <CallBack workspaceKey="wk" baseUrl="https://api.example/v1" className="corner" inline />;`;

/** A page that lists calls, or says that the API does not respond. */
const CALLS_PAGE = `
	import { callBackClient, NoAnswerError } from '@call-back/client';
	export default async function Calls() {
		const client = callBackClient({ base_url: process.env.API, api_key: 'cbk_live_x_y', max_retries: 0 });
		try {
			const { data } = await client.calls.list();
			return <p>{data.length} calls</p>;
		} catch (error) {
			if (error instanceof NoAnswerError) return <p>no answer</p>;
			throw error;
		}
	}`;

/** The URL that a starting Next server prints. The output is read to the end, because the server would die without a reader. */
function addressOf(output: Readable): Promise<string> {
	let printed = '';
	return new Promise((found, failed) => {
		output.on('data', (part) => {
			printed += String(part);
			const [address] = /http:\/\/localhost:\d+(?=\s)/.exec(printed) ?? [];
			if (address !== undefined) found(address);
		});
		output.once('end', () => failed(new Error(printed)));
	});
}

it('pages of Next’s App Router have the element with its attributes, and a list of calls that neither the build nor the server caches', async () => {
	if (!installTools('next-page')) return void process.stderr.write('skipped\n');
	await pack(join(site, 'packages'));
	for (const name of ['widget', 'client'])
		cpSync(join(site, 'packages', name), join(site, 'node_modules/@call-back', name), { recursive: true });
	mkdirSync(join(site, 'app/calls'), { recursive: true });
	writeFileSync(join(site, 'package.json'), '{ "private": true }');
	writeFileSync(join(site, 'next.config.mjs'), `export default { turbopack: { root: ${JSON.stringify(tools)} } };`);
	writeFileSync(join(site, 'app/layout.jsx'), LAYOUT);
	writeFileSync(join(site, 'app/page.jsx'), PAGE);
	writeFileSync(join(site, 'app/calls/page.jsx'), CALLS_PAGE);
	const api = await startScripted(says(200, '{"data":[],"has_more":false,"next_cursor":null}', JSON_TYPE));
	stops.push(api.stop);
	const API = `${api.url}/v1`;
	const env = { ...process.env, API, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' };
	const next = join(tools, 'node_modules/next/dist/bin/next');
	await promisify(execFile)(process.execPath, [next, 'build'], { cwd: site, env });
	const page = readFileSync(join(site, '.next/server/app/index.html'), 'utf8');
	expect(/<call-back-widget[^>]*>/.exec(page)?.[0]).toBe(
		'<call-back-widget workspace-key="wk" base-url="https://api.example/v1" inline="" class="corner">',
	);
	// Next must make this page for each request. A page that the build makes would always show the same calls, or always "no
	// answer".
	const { routes } = JSON.parse(readFileSync(join(site, '.next/prerender-manifest.json'), 'utf8'));
	expect(Object.keys(routes)).toContain('/');
	expect(Object.keys(routes)).not.toContain('/calls');

	const server = spawn(process.execPath, [next, 'start', '--port', '0'], { cwd: site, env });
	stops.unshift(async () => {
		if (server.kill()) await once(server, 'exit');
	});
	const origin = await addressOf(server.stdout);
	// Next prints its URL before it serves, and may reset a connection until then. It may also close a connection that is about to
	// be reused, so each request opens a new one.
	const get = (path: string) => fetch(`${origin}${path}`, { headers: { connection: 'close' } });
	await eventually('Next serves', async () => (await get('/').catch(() => null))?.text() ?? null);
	const shown = async () => /<p>(.*?)<\/p>/.exec(await (await get('/calls')).text())?.[1];
	expect(await shown()).toBe('0<!-- --> calls');
	api.behave(says(200, `{"data":[{}],"has_more":false,"next_cursor":null}`, JSON_TYPE));
	expect(await shown()).toBe('1<!-- --> calls');
	api.behave((response) => void response.destroy());
	expect(await shown()).toBe('no answer');

	const browser = await launchChromium();
	stops.unshift(() => browser.close());
	const visit = await browser.newPage();
	const told: string[] = [];
	visit.on('console', (message) => void told.push(message.text()));
	visit.on('pageerror', (error) => void told.push(error.message));
	await visit.goto(origin);
	await visit.locator('call-back-widget [part=panel]').waitFor();
	// React reports an error if the server has rendered another page than React expects. The only error here is that the
	// example's API does not exist.
	expect(told.filter((line) => !line.includes('ERR_NAME_NOT_RESOLVED'))).toEqual([]);
});
