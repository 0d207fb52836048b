import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Stack } from '../../local/stack.ts';
import { verifyWebhook } from '../../packages/client/webhooks.ts';
import type { Fields } from '../../shared/http/edge/form-fields.ts';
import { deskTextsIn } from '../../shared/presentation/desk-texts.ts';
import { call, eventually, mailbox } from '../support/stack/api.ts';
import { developerDesk } from '../support/stack/developers.ts';
import { formsIn } from '../support/stack/forms-in-page.ts';
import { testStack } from '../support/stack/stack.ts';
import { bearer, newKey } from '../support/webhooks/customers.ts';
import { type Post, startHttpsReceiver } from '../support/webhooks/https-receiver.ts';

// Tests what a developer, or a thief with a session, does with webhook endpoints at the desk, on a running stack.

let stack: Stack;
let receiver: Awaited<ReturnType<typeof startHttpsReceiver>>;
beforeAll(async () => {
	receiver = await startHttpsReceiver();
	stack = await testStack(receiver.options);
});
afterAll(() => Promise.all([stack.stop(), receiver.stop()]));

const { operator, pageAt, send, signIn, post, codeOf, ...desk } = developerDesk(() => stack);
const { developedShop, formOf, everythingKept } = desk;
type Session = Awaited<ReturnType<typeof signIn>>;
type Shop = Awaited<ReturnType<typeof developedShop>>;

const SECRET = /whsec_[\w+/]{43}=/;

/** Sends the form for a new endpoint. `secret`: the signing secret that the next page shows. */
async function createEndpoint({ id, dev }: Shop, fields: Fields) {
	const form = await formOf(dev, 'webhooks', 'endpoint_created');
	const answer = await post(dev, 'webhooks', { ...form, ...fields });
	const location = answer.headers.get('location') ?? '';
	const shown = answer.status === 303 ? (await send(pageAt(location), dev)).html : '';
	const [secret = ''] = SECRET.exec(shown) ?? [];
	const [endpoint] = (await (await operator()).store.endpointsOf(id)).slice(-1);
	return { ...answer, location, secret, shown, endpoint_id: endpoint?.id ?? '' };
}
const endpointsOf = async ({ id }: Shop) => (await operator()).store.endpointsOf(id);
const isSignedWith = (secret: string, { body, headers }: Post) =>
	verifyWebhook({ body, header: String(headers['service-signature']), secret }).verified;
/** Presses a button of an endpoint's page. */
async function press(dev: Session, endpointId: string, action: string, fields: Fields = {}) {
	const page = `webhooks?id=${endpointId}`;
	return post(dev, page, { ...(await formOf(dev, page, action)), ...fields });
}
const postsTo = (path: string) => receiver.posts.filter((each) => each.path === path);

it('the secret of a new endpoint is shown once and verifies its deliveries; header values are never shown', async () => {
	const shop = await developedShop();
	const value = 'k-3fd1a-very-private';
	const made = await createEndpoint(shop, {
		url: receiver.url('/new?token=in-query'),
		description: 'Orders <b>"live"</b>',
		headers: `X-Api-Key: ${value}\r\n\r\nX-Team: blue`,
	});
	expect([made.status, made.location, made.secret]).toEqual([
		303,
		expect.stringMatching(/^webhooks\?made=[\w-]{43}$/),
		expect.stringMatching(SECRET),
	]);
	const page = `webhooks?id=${made.endpoint_id}`;
	const tested = await press(shop.dev, made.endpoint_id, 'endpoint_tested', { event: 'call.failed' });
	expect([tested.status, tested.headers.get('cache-control')]).toEqual([200, 'no-store']);
	for (const part of ['accepted the test', '204', 'TTFB']) expect(tested.html).toContain(part);
	const [got] = postsTo('/new?token=in-query');
	expect([got && isSignedWith(made.secret, got), got?.headers['x-api-key'], got?.headers['x-team']]).toEqual([
		true,
		value,
		'blue',
	]);
	expect(got?.headers['service-event']).toBe('call.failed');
	const pages = await Promise.all([made.location, page, 'webhooks', 'log'].map((each) => send(pageAt(each), shop.dev)));
	for (const { html } of pages) {
		expect([SECRET.test(html), html.includes(value), html.includes('<b>')]).toEqual([false, false, false]);
	}
	expect(pages[1]?.html).toContain('<dt>Custom headers</dt><dd><code dir="ltr">x-api-key, x-team</code></dd>');
	expect(pages[1]?.html).toContain('Orders &lt;b&gt;&quot;live&quot;&lt;/b&gt;');
	// The audit list and the list of endpoints do not show the query of a URL, because it may be a secret.
	for (const { html } of pages.slice(2))
		expect([html.includes('/new'), html.includes('in-query')]).toEqual([true, false]);
	const kept = await everythingKept();
	for (const secret of [made.secret.slice(6), value]) expect(kept).not.toContain(secret);
});

it('an endpoint at an address that is not allowed is refused with a sentence, and the form keeps what was typed, except header values', async () => {
	const shop = await developedShop();
	const key = (await newKey(await operator(), shop.id, ['webhooks:write'])).secret;
	const { wrong } = deskTextsIn('en');
	for (const [url, words] of [
		['http://shop.example/hook', wrong.url_not_https],
		['https://localhost/hook', wrong.url_not_public],
		['https://10.0.0.1/', wrong.url_not_public],
		['https://[::1]/', wrong.url_not_public],
		['https://user:pass@shop.example/', wrong.url_credentials],
		['https://shop.example:22/', wrong.url_port],
		['https://169.254.169.254/latest/meta-data', wrong.url_not_public],
		['https://shop.example/#fragment', wrong.url_fragment],
	] as const) {
		const body = { url, events: ['call.failed'] };
		const api = await call(stack.base_url, '/webhook-endpoints', { headers: bearer(key), body });
		const form = await formOf(shop.dev, 'webhooks', 'endpoint_created');
		const { status, html } = await post(shop.dev, 'webhooks', { ...form, url, headers: 'X-Key: private-value' });
		const said = formsIn(html).find(({ action }) => action === 'endpoint_created') ?? {};
		// The local stack tells programs how webhooks can reach a receiver on this machine, and people whose address is not public.
		const [beside = ''] = /id="url-wrong">[^<]*/.exec(html) ?? [];
		expect([url, status, beside.includes(words), said['url'], html.includes('private-value')]).toEqual([
			url,
			409,
			true,
			url,
			false,
		]);
		expect([beside, api.json.detail].map((text) => text.includes('npm run listen'))).toEqual([
			words === wrong.url_not_public,
			true,
		]);
		expect(html).toContain('Enter the headers again');
	}
	expect(await endpointsOf(shop)).toEqual([]);
});

it('after a rotation, the new and the previous secret both sign; the new secret is shown once, and every owner is notified of the rotation', async () => {
	const shop = await developedShop();
	const { secret: former, endpoint_id } = await createEndpoint(shop, { url: receiver.url('/rotated?x=1') });
	const rotated = await press(shop.dev, endpoint_id, 'secret_rotated', { overlap: '3600' });
	const location = rotated.headers.get('location') ?? '';
	const [secret = ''] = SECRET.exec((await send(pageAt(location), shop.dev)).html) ?? [];
	expect([rotated.status, secret === former, (await send(pageAt(location), shop.dev)).html.includes(secret)]).toEqual([
		303,
		false,
		false,
	]);
	await press(shop.dev, endpoint_id, 'endpoint_tested', { event: 'call.failed' });
	const [got] = postsTo('/rotated?x=1');
	if (got === undefined) throw new Error('no test arrived');
	expect([isSignedWith(secret, got), isSignedWith(former, got)]).toEqual([true, true]);
	const mail = await eventually('the mail to the owner', async () => {
		const about = (await mailbox(stack)).filter(({ to, text }) => to === shop.owner && text.includes('/rotated'));
		return about[0] ?? null;
	});
	expect(mail.subject).toMatch(/^A webhook endpoint has a new signing secret: localhost:\d+\/rotated$/);
	expect([mail.text.includes(shop.developer), SECRET.test(mail.text + mail.html)]).toEqual([true, false]);
	expect((await send(pageAt('log'), shop.dev)).html).toMatch(
		/rotated the signing secret of <bdi>localhost:\d+\/rotated</,
	);
	// The desk accepts only the overlaps that the form offers. Other values are refused, even an empty field.
	for (const overlap of ['', '0x0', '1e3', ' 0', '-1', '3601']) {
		const refused = await press(shop.dev, endpoint_id, 'secret_rotated', { overlap });
		expect([overlap, refused.status, refused.html]).toEqual([
			overlap,
			422,
			expect.stringContaining('The former secret signs beside it for'),
		]);
	}
	await press(shop.dev, endpoint_id, 'endpoint_tested', { event: 'call.failed' });
	const both = postsTo('/rotated?x=1').at(-1);
	expect(both && isSignedWith(former, both)).toBe(true);
	// Without an overlap, the previous secret stops signing at once.
	await press(shop.dev, endpoint_id, 'secret_rotated', { overlap: '0' });
	await press(shop.dev, endpoint_id, 'endpoint_tested', { event: 'call.failed' });
	const last = postsTo('/rotated?x=1').at(-1);
	expect(last && isSignedWith(secret, last)).toBe(false);
});

it('tests of an endpoint count against the limit of slow requests, even when a stolen session sends them', async () => {
	const shop = await developedShop({ limits: { slow_requests_per_minute: 2 } });
	const { endpoint_id } = await createEndpoint(shop, { url: receiver.url('/often') });
	const codes = [];
	for (let n = 0; n < 5; n += 1)
		codes.push(codeOf(await press(shop.dev, endpoint_id, 'endpoint_tested', { event: 'call.failed' })));
	// Two endpoint tests are allowed in a minute. A new minute may begin during the loop, so four may pass.
	expect(codes.filter((code) => code === undefined).length).toBeLessThanOrEqual(4);
	expect(codes).toContain('pressed_often');
	expect(postsTo('/often').length).toBe(codes.filter((code) => code === undefined).length);
});

it('a test of an endpoint shows why it failed, and markup in the answer stays text', async () => {
	const shop = await developedShop();
	const { endpoint_id } = await createEndpoint(shop, { url: receiver.url('/broken') });
	receiver.answers(({ path }) =>
		path === '/broken' ? { status: 500, body: '<script>alert(1)</script>' } : { status: 204 },
	);
	const { html } = await press(shop.dev, endpoint_id, 'endpoint_tested', { event: 'call.failed' });
	expect(html).toContain('did not accept the test');
	expect(html).toContain('500 http_status');
	expect([html.includes('<script>'), html.includes('&lt;script&gt;alert(1)&lt;/script&gt;')]).toEqual([false, true]);
});
