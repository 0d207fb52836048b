import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CreateWebhookEndpoint } from '../../shared/contract/webhooks/webhook-endpoints.ts';
import { parseBody } from '../../shared/http/edge/request.ts';
import { attemptDelivery } from '../../shared/use-cases/webhooks/attempt-delivery.ts';
import { changeWebhookEndpoint } from '../../shared/use-cases/webhooks/change-webhook-endpoint.ts';
import { createWebhookEndpoint } from '../../shared/use-cases/webhooks/create-webhook-endpoint.ts';
import { sealHeaders } from '../../shared/use-cases/webhooks/custom-headers.ts';
import { anyCharacter } from '../support/any-character.ts';
import { oneDelivery, subscribed, WORKSPACE } from '../support/webhooks/deliveries.ts';

// Tests a customer's own headers: which names the service accepts, how it stores them, and what a receiver gets.

type Owner = { readonly workspace_id: string; readonly id: string };
/** A vault that decrypts a value only for the owner for whom it encrypted the value. */
const vault = {
	sealSecret: async (secret: string, { workspace_id, id }: Owner) =>
		Buffer.from(JSON.stringify([workspace_id, id, secret])).toString('base64'),
	openSecret: async (sealed: string, owner: Owner) => {
		if (sealed.startsWith('whsec_')) return sealed;
		const [workspace_id, id, secret] = JSON.parse(Buffer.from(sealed, 'base64').toString());
		if (workspace_id !== owner.workspace_id || id !== owner.id) throw new Error('sealed for another endpoint');
		return String(secret);
	},
};
const KEY = 'gateway-key-4711';

async function endpoint() {
	const w = await oneDelivery();
	const deps = {
		store: w.deps.store,
		clock: w.deps.clock,
		ids: w.deps.ids,
		vault,
		sender: { check: async (url: string) => ({ allowed: true as const, url }) },
	};
	const made = await createWebhookEndpoint(
		{
			workspace_id: WORKSPACE,
			url: 'https://hooks.example/',
			description: null,
			events: [],
			headers: { 'X-Api-Key': KEY, Authorization: 'Bearer 1' },
		},
		deps,
	);
	if (made.outcome !== 'created') throw new Error(made.outcome);
	const key = { workspace_id: WORKSPACE, id: made.endpoint.id };
	const stored = async () => w.deps.store.get('webhook_endpoint', key);
	return { made: made.endpoint, stored, change: (change: object) => changeWebhookEndpoint(key, change, deps) };
}

describe('custom headers', () => {
	it('are stored sealed, and their names are readable', async () => {
		const { stored } = await endpoint();
		expect((await stored())?.header_names).toEqual(['authorization', 'x-api-key']);
		expect(JSON.stringify(await stored())).not.toContain(KEY);
	});

	it('are replaced as a whole, removed by null, and unchanged by any other change', async () => {
		const { made, stored, change } = await endpoint();
		await change({ description: 'CRM' });
		expect(await stored()).toMatchObject({ sealed_headers: made.sealed_headers, description: 'CRM' });
		await change({ headers: { 'X-Tenant': '7' } });
		expect((await stored())?.header_names).toEqual(['x-tenant']);
		await change({ headers: null });
		expect(await stored()).toMatchObject({ header_names: [], sealed_headers: null });
	});

	it('are sent with every attempt, and never replace the service’s own headers', async () => {
		const to = subscribed('receiver', 1);
		const sealed = await sealHeaders({ 'X-Api-Key': KEY, 'Service-Event': 'forged', Host: 'x' }, to, vault);
		const w = await oneDelivery({ id: to.id, ...sealed });
		Object.assign(w.deps, { vault });
		await attemptDelivery(w.message, w.deps);
		expect(w.posts[0]?.headers).toMatchObject({ 'x-api-key': KEY, 'service-event': 'call.completed' });
		expect(w.posts[0]?.headers).not.toHaveProperty('host');
	});

	it('cannot be decrypted for another endpoint', async () => {
		const sealed = await sealHeaders({ 'X-Api-Key': KEY }, subscribed('another', 1), vault);
		const w = await oneDelivery(sealed);
		Object.assign(w.deps, { vault });
		await expect(attemptDelivery(w.message, w.deps)).rejects.toThrow('sealed for another endpoint');
		expect(w.posts).toEqual([]);
	});
});

const faultOf = (headers: unknown): unknown => {
	const parsed = parseBody(CreateWebhookEndpoint, { url: 'https://a.example', events: ['call.failed'], headers });
	return 'problem' in parsed ? parsed.problem.extra?.['errors'] : null;
};
const at = (pointer: string, detail: unknown) => [{ pointer, code: 'custom', detail }];
const RESERVED = 'Another header name: this one is reserved.';

describe('a header', () => {
	it.each([
		{},
		null,
		{ 'X-Api-Key': 'k' },
		{ authorization: 'Bearer x y' },
		{ 'CF-Access-Client-Id': 'k', 'Client-Id': 'k' },
		{ a: '1', b: '2', c: '3', d: '4', e: '5' },
	])('is accepted: %j', (headers) => {
		expect(faultOf(headers)).toBeNull();
	});

	it.each([
		'Host',
		'content-length',
		'Content-Type',
		'connection',
		'transfer-encoding',
		'User-Agent',
		'cookie',
		'Webhook-Id',
		'service-signature',
		'x-amz-date',
		'X-Amzn-Trace-Id',
		'x-aws-ec2-metadata-token',
		'X-Real-IP',
		'CF-Connecting-IP',
		'True-Client-IP',
		'X-Client-IP',
		'Fastly-Client-IP',
		'X-Original-URL',
		'X-HTTP-Method-Override',
		'Remote-User',
		'SSL-Client-Cert',
		'X-Envoy-External-Address',
		'X-Forwarded',
		'Metadata-Flavor',
		'X-Forwarded-For',
		'forwarded',
		'Proxy-Authorization',
		'x-goog-user-project',
	])('%s is reserved', (name) => {
		expect(faultOf({ [name]: 'x' })).toEqual(at(`/headers/${name}`, RESERVED));
	});

	it.each(['x y', 'x:y', 'é', '', '-x', 'X_Forwarded_For', 'Service_Signature', 'x'.repeat(65)])(
		'cannot have the name %j',
		(name) => {
			expect(faultOf({ [name]: 'x' })).toEqual(
				at(`/headers/${name}`, expect.stringMatching(/^A header name of 1 to 64/)),
			);
		},
	);

	it('cannot have the name __proto__, which JSON allows', () => {
		const fault = faultOf(JSON.parse('{"__proto__":"v","x-a":"1"}'));
		expect(fault).toEqual(at('/headers/__proto__', 'Another header name.'));
	});

	it('is accepted only if its endpoint then has at most 5 headers, each with a different name', () => {
		const six = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, '1']));
		expect(faultOf(six)).toEqual(at('/headers', 'An object of at most 5 headers.'));
		expect(faultOf({ 'X-A': '1', 'x-a': '2' })).toEqual(at('/headers', 'Must be distinct.'));
	});

	it('cannot have a line break in its value, and no error repeats the value', () => {
		const text = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 20 }), fc.string({ maxLength: 600 }));
		fc.assert(
			fc.property(text, (value) => {
				const fault = faultOf({ 'x-a': value });
				if (fault === null) expect(value).toMatch(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/);
				else expect(fault).toEqual(at('/headers/x-a', expect.stringMatching(/^A text of 1 to 512 visible ASCII/)));
			}),
		);
		for (const value of ['', ' x', 'x ', 'a\r\nb: c', 'ü', 'x'.repeat(513)])
			expect(faultOf({ 'x-a': value })).not.toBeNull();
		expect(faultOf({ 'x-a': 'x'.repeat(512) })).toBeNull();
	});
});
