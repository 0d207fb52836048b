import { expect, it } from '@jest/globals';
import { connectPart } from '../../../shared/http/desk/keys/connect-part.ts';
import { SCRIPT_VERSION } from '../../../shared/http/desk/kit/script-address.ts';
import { viewOf } from '../../../shared/http/desk/kit/view.ts';
import { etagOf } from '../../../shared/http/edge/response.ts';
import { enterDesk } from '../../../shared/use-cases/desk/enter-desk.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';

const { pageAt, send, developedShop, deps, store } = deskInMemory();

it.each(['webhooks', 'keys'])(
	'the page %s has the base URL and the workspace key, each with a button that copies it, and loads the script for these buttons',
	async (page) => {
		const { id, dev } = await developedShop();
		const { html, headers } = await send(pageAt(page), dev);
		const key = (await store.get('workspace', { id }))?.workspace_key;
		const copied = [...html.matchAll(/<pre [^>]*id="([\w-]+)">([^<]*)<\/pre>\s*<button[^>]* data-copy="([\w-]+)"/g)];
		expect(copied.map(([, of, text, button]) => [of, text, button])).toEqual([
			['base-url', deps.public_base_url, 'base-url'],
			['workspace-key', key, 'workspace-key'],
		]);
		expect(headers.get('content-security-policy')).toContain("script-src 'self'");
		const [, src = ''] = /<script src="([^"]+)"/.exec(html) ?? [];
		expect(src).toMatch(/^\.\.\/pages\/desk\.js\?v=/);
		const script = await send(pageAt(src.replace('../pages/', '')), dev);
		expect([script.status, script.html]).toEqual([200, expect.stringContaining('data-copied')]);
	},
);

it('a page names the version of its script, which a browser keeps only at this address', async () => {
	const { dev } = await developedShop();
	const keptAt = async (address: string) => {
		const { html, headers } = await send(pageAt(address), dev);
		return { version: etagOf(html).slice(1, 11), kept: headers.get('cache-control') };
	};
	// If this fails, the script has changed: write the version that was expected into `script-address.ts`.
	const { version, kept } = await keptAt(`desk.js?v=${SCRIPT_VERSION}`);
	expect([SCRIPT_VERSION, kept]).toEqual([version, 'private, max-age=3600']);
	for (const other of ['desk.js', 'desk.js?v=of-another'])
		expect(await keptAt(other)).toEqual({ version, kept: 'no-store' });
});

it('the page for developers links to the documentation if the deployment has one', async () => {
	const { dev } = await developedShop();
	const at = await enterDesk([dev.cookie], deps);
	if (at === null) throw new Error('the session does not live');
	const part = (docs_url?: string) =>
		connectPart(viewOf(at, 0), { ...deps, ...(docs_url !== undefined && { docs_url }) });
	expect(part('https://docs.example/call-back').markup).toContain(
		'<a href="https://docs.example/call-back" rel="noreferrer">Documentation</a>',
	);
	expect(part().markup).not.toContain('Documentation');
});
