import { expect, it } from '@jest/globals';
import { connectPart } from '../../../shared/http/desk/keys/connect-part.ts';
import { viewOf } from '../../../shared/http/desk/kit/view.ts';
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
		expect(src).toBe('../pages/desk.js');
		const script = await send(pageAt('desk.js'), dev);
		expect([script.status, script.html]).toEqual([200, expect.stringContaining('data-copied')]);
	},
);

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
