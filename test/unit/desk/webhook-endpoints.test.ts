import { describe, expect, it } from '@jest/globals';
import { derivedId } from '../../../shared/domain/kernel/id.ts';
import { HEALTHY } from '../../../shared/domain/webhooks/circuit-breaker.ts';
import type { Attempt } from '../../../shared/domain/webhooks/delivery.ts';
import { eventKinds } from '../../../shared/domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import { languages } from '../../../shared/domain/workspaces/language.ts';
import type { Fields } from '../../../shared/http/edge/form-fields.ts';
import { deskTextsIn } from '../../../shared/presentation/desk-texts.ts';
import { fillIn } from '../../../shared/presentation/team-texts.ts';
import { deployedBytes } from '../../support/deployed-bytes.ts';
import { samples } from '../../support/sample-records.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { formsIn } from '../../support/stack/forms-in-page.ts';
import { subscribed } from '../../support/webhooks/deliveries.ts';
import { put } from '../../support/writes.ts';

// Tests what a developer can do with webhook endpoints at the desk, and that people of another shop reach none of them.

const { deps, store, posts, pageAt, send, signIn, post, codeOf, developedShop, formOf } = deskInMemory();
const { clock } = deps;
type Session = Awaited<ReturnType<typeof signIn>>;
type Shop = Awaited<ReturnType<typeof developedShop>>;

const SECRET = /whsec_[\w+/]{43}=/;
const urlOf = (path: string): string => `https://receiver.example${path}`;

/** Sends the form for a new endpoint. `secret`: the signing secret that the next page shows. */
async function createEndpoint(shop: Shop, fields: Fields) {
	const form = await formOf(shop.dev, 'webhooks', 'endpoint_created');
	const answer = await post(shop.dev, 'webhooks', { ...form, ...fields });
	const location = answer.headers.get('location') ?? '';
	const [secret = ''] = SECRET.exec((await send(pageAt(location), shop.dev)).html) ?? [];
	const [endpoint] = (await endpointsOf(shop)).slice(-1);
	return { secret, endpoint_id: endpoint?.id ?? '' };
}
const endpointsOf = ({ id }: Shop) => store.endpointsOf(id);
/** Presses a button of an endpoint's page. */
async function press(dev: Session, endpointId: string, action: string, fields: Fields = {}) {
	const page = `webhooks?id=${endpointId}`;
	return post(dev, page, { ...(await formOf(dev, page, action)), ...fields });
}

/**
 * The error text beside a field, if the form was refused because of this field. The field then has to be marked as invalid, have
 * this text as its description, and have the focus.
 */
function wordsBeside(html: string, name: string): string | undefined {
	const marked = `aria-describedby="(?:${name}-hint )?${name}-wrong" aria-invalid="true" autofocus`;
	if (!new RegExp(marked).test(html)) return undefined;
	return new RegExp(`id="${name}-wrong">([^<]*)<`).exec(html)?.[1]?.replaceAll('&quot;', '"');
}

const FAILED = {
	error: 'http_status',
	response_status: 401,
	hint: 'Check the secret.',
	response_body: '{"why":"secret"}',
} as const;

it.each(languages)('an invalid endpoint is refused with a sentence beside the wrong field, in %s', async (language) => {
	const shop = await developedShop({ language });
	const { wrong } = deskTextsIn(language);
	for (const [fields, field, says] of [
		[{ url: '' }, 'url', wrong.url],
		[{ url: `https://shop.example/${'x'.repeat(2050)}` }, 'url', wrong.url],
		[{ url: 'http://shop.example/kept' }, 'url', wrong.url_not_https],
		[Object.fromEntries(eventKinds.map((kind) => [kind, ''])), 'events', wrong.events],
		[{ headers: 'no colon' }, 'headers', wrong.headers],
		[{ headers: 'X-Key: 1\nX-Key: 2' }, 'headers', wrong.headers],
		[{ headers: 'X-Key: 1\nx-key: 2' }, 'headers', wrong.headers],
		[{ headers: '__proto__: x' }, 'headers', wrong.headers],
		[{ headers: 'Bearer abc: x' }, 'headers', wrong.headers],
		[{ headers: 'Host: evil.example' }, 'headers', fillIn(wrong.headers_name, 'Host')],
		[{ headers: 'X-A: 1\nURL: \u00e9' }, 'headers', fillIn(wrong.headers_value, 'URL')],
		[{ headers: 'X-Key:' }, 'headers', fillIn(wrong.headers_value, 'X-Key')],
		[{ headers: Array.from({ length: 6 }, (_, n) => `X-${n}: 1`).join('\n') }, 'headers', wrong.headers_many],
		[{ description: 'x'.repeat(201) }, 'description', wrong.description],
	] as const) {
		const form = await formOf(shop.dev, 'webhooks', 'endpoint_created');
		const url = 'https://93.184.215.14/kept';
		const answer = await post(shop.dev, 'webhooks', { ...form, url, ...fields });
		expect([fields, answer.status, wordsBeside(answer.html, field)]).toEqual([
			fields,
			'url' in fields && fields.url.startsWith('http:') ? 409 : 422,
			says,
		]);
		// The form keeps the typed URL. No other field is marked as invalid.
		expect([answer.html.includes('/kept"'), answer.html.match(/aria-invalid="true"/g)]).toEqual([
			!('url' in fields) || fields.url.endsWith('/kept'),
			['aria-invalid="true"'],
		]);
	}
	expect(await endpointsOf(shop)).toEqual([]);
});

it('twenty requests at once create only as many endpoints as the shop may have; twenty endpoints fit on a small page', async () => {
	const shop = await developedShop();
	for (let n = 0; n < 5; n += 1) await createEndpoint(shop, { url: urlOf(`/first-${n}`) });
	const form = await formOf(shop.dev, 'webhooks', 'endpoint_created');
	const answers = await Promise.all(
		Array.from({ length: 20 }, (_, n) =>
			post(shop.dev, 'webhooks', { ...form, url: urlOf(`/at-once-${n}/${'long-'.repeat(20)}`) }),
		),
	);
	const codes = answers.map((answer) => (answer.status === 303 ? 'created' : codeOf(answer))).sort();
	expect(codes).toEqual([...Array(15).fill('created'), ...Array(5).fill('limit_reached')]);
	expect(await endpointsOf(shop)).toHaveLength(20);
	const { html } = await send(pageAt('webhooks'), shop.dev);
	expect(html.match(/class="who"[^>]*><a href="webhooks\?id=/g)).toHaveLength(20);
	// After one endpoint is deleted, one more may be created.
	const [first] = await endpointsOf(shop);
	expect((await press(shop.dev, first?.id ?? '', 'endpoint_deleted')).status).toBe(303);
	expect((await createEndpoint(shop, { url: urlOf('/again') })).secret).toMatch(SECRET);
});

it.each(languages)(
	'twenty endpoints with long descriptions that all fail with long answers fit on a page below 60 KB: %s',
	async (language) => {
		const shop = await developedShop({ language });
		const health = { ...HEALTHY, failing_since: new Date().toISOString(), consecutive_failures: 20 };
		const more = { workspace_id: shop.id, description: 'نقطة استقبال '.repeat(15), events: eventKinds, health };
		const own = Array.from({ length: 20 }, (_, n) => subscribed(`long-${n}.${'host-'.repeat(12)}`, 1e12, more));
		const deliveries = own.map(({ id: endpoint_id }, nth) => {
			const last_attempt = { ...samples.delivery_attempt.attempt, ...FAILED, response_body: '"<&'.repeat(1365) };
			const id = derivedId(clock.now() + nth, 'delivery');
			return put('delivery', { ...samples.delivery, id, workspace_id: shop.id, endpoint_id, last_attempt });
		});
		await store.commit([...own.map((item) => put('webhook_endpoint', item)), ...deliveries]);
		const { html } = await send(pageAt('webhooks'), shop.dev);
		expect(deployedBytes(html)).toBeLessThan(60_000);
	},
);

it('pressing the button of a form twice makes one endpoint, and both presses lead to its secret', async () => {
	const shop = await developedShop();
	const form = { ...(await formOf(shop.dev, 'webhooks', 'endpoint_created')), url: urlOf('/twice') };
	const answers = await Promise.all([1, 2].map(() => post(shop.dev, 'webhooks', form)));
	const [location = '', ...others] = [...new Set(answers.map(({ headers }) => headers.get('location') ?? ''))];
	expect([others, (await endpointsOf(shop)).length]).toEqual([[], 1]);
	expect((await send(pageAt(location), shop.dev)).html).toMatch(SECRET);
	const again = await post(shop.dev, 'webhooks', form);
	expect((await send(pageAt(again.headers.get('location') ?? ''), shop.dev)).html).not.toMatch(SECRET);
});

describe('an endpoint of another shop', () => {
	it('cannot be reached by a form of a developer, in any field', async () => {
		const shop = await developedShop();
		const other = await developedShop();
		const { endpoint_id } = await createEndpoint(shop, { url: urlOf('/foreign') });
		const own = await createEndpoint(other, { url: urlOf('/own') });
		const before = await endpointsOf(shop);
		const tried = posts.length;
		await press(other.dev, own.endpoint_id, 'endpoint_disabled');
		const forms = [...formsIn((await send(pageAt(`webhooks?id=${own.endpoint_id}`), other.dev)).html)];
		await press(other.dev, own.endpoint_id, 'endpoint_enabled');
		forms.push(...formsIn((await send(pageAt(`webhooks?id=${own.endpoint_id}`), other.dev)).html));
		expect(forms.length).toBeGreaterThan(10);
		for (const form of forms.filter(({ action }) => action !== 'signed_out')) {
			for (const name of Object.keys(form)) {
				if (['token', 'action'].includes(name)) continue;
				const fields = { ...form, dry_run: '', shown: `${Math.random()}`, [name]: endpoint_id };
				// A form that names another shop than its session's is refused as a whole.
				const allowed = name === 'shop' ? [403] : [200, 303, 409, 422];
				const foreign = name === 'id' ? [409] : allowed;
				const answer = await post(other.dev, `webhooks?id=${endpoint_id}`, fields);
				const codes = name === 'id' ? ['not_found'] : [codeOf(answer)];
				expect([form['action'], name, foreign.includes(answer.status), codes]).toEqual([
					form['action'],
					name,
					true,
					[codeOf(answer)],
				]);
				expect(answer.html.includes('/foreign')).toBe(false);
			}
		}
		expect(await endpointsOf(shop)).toEqual(before);
		expect(posts.slice(tried)).not.toContain(urlOf('/foreign'));
		const page = await send(pageAt(`webhooks?id=${endpoint_id}`), other.dev);
		expect([page.status, page.html.includes('/foreign')]).toEqual([200, false]);
	});
});

it('a form for an endpoint that was deleted in the meantime is refused, and the page says so', async () => {
	const shop = await developedShop();
	const { endpoint_id } = await createEndpoint(shop, { url: urlOf('/gone') });
	const page = `webhooks?id=${endpoint_id}`;
	const forms = formsIn((await send(pageAt(page), shop.dev)).html).filter(({ action }) => action !== 'signed_out');
	await press(shop.dev, endpoint_id, 'endpoint_deleted');
	for (const form of forms) {
		const answer = await post(shop.dev, page, { ...form, shown: 'later' });
		expect([form['action'], answer.status, codeOf(answer)]).toEqual([form['action'], 409, 'not_found']);
		expect(answer.html).toContain('It is not there any more.');
	}
	expect((await send(pageAt(page), shop.dev)).html).toContain('No endpoint yet.');
});

it('the second of two editors overwrites nothing, and sees the saved values beside what was typed', async () => {
	const shop = await developedShop();
	const { endpoint_id } = await createEndpoint(shop, { url: urlOf('/edited') });
	const page = `webhooks?id=${endpoint_id}`;
	const form = await formOf(shop.dev, page, 'endpoint_changed');
	const first = await post(shop.dev, page, { ...form, description: 'First', 'call.ringing': '' });
	expect([first.status, first.headers.get('location')]).toEqual([303, `${page}&saved=endpoint_changed#said`]);
	const second = await post(shop.dev, page, { ...form, description: 'Second', headers: 'X-Key: typed' });
	expect([second.status, codeOf(second)]).toEqual([409, 'changed_meanwhile']);
	const shown = formsIn(second.html).find(({ action }) => action === 'endpoint_changed');
	expect([shown?.['description'], second.html.includes('<bdi>Second</bdi>'), second.html.includes('typed')]).toEqual([
		'First',
		true,
		false,
	]);
	// Saving unchanged values is no change and leaves no audit entry.
	await post(shop.dev, page, { ...shown });
	expect((await send(pageAt('log'), shop.dev)).html.split('changed a webhook endpoint').length).toBe(2);
	const [saved] = await endpointsOf(shop);
	expect(saved).toMatchObject({
		description: 'First',
		events: eventKinds.filter((kind) => kind !== 'call.ringing'),
		header_names: [],
	});
});

it('the saved custom headers are named beside their field and on the page of a delivery, without their values', async () => {
	const shop = await developedShop();
	const typed = { url: urlOf('/named'), 'call.failed': 'yes', headers: 'X-Key: private-value\nX-Team: private-team' };
	const { endpoint_id } = await createEndpoint(shop, typed);
	const { html } = await send(pageAt(`webhooks?id=${endpoint_id}`), shop.dev);
	const hint = /<p class="soft" id="headers-hint">(.*?)<\/p>/s.exec(html)?.[1];
	expect(hint).toContain('Saved: <code dir="ltr">x-key, x-team</code>. Empty: they stay as they are.');
	const id = deps.ids.next();
	const { subject_id, event: kind } = samples.delivery;
	await store.commit([
		put('delivery', { ...samples.delivery, id, workspace_id: shop.id, endpoint_id }),
		put('event', { ...samples.event, workspace_id: shop.id, subject_id, kind }),
	]);
	const delivery = (await send(pageAt(`deliveries?id=${id}`), shop.dev)).html;
	expect(delivery).toContain('Custom headers: <code dir="ltr">x-key, x-team</code>');
	expect(html + delivery).not.toContain('private');
});

it('no page shows header values again: not after a refusal, and not after the session has ended', async () => {
	const shop = await developedShop();
	const form = {
		...(await formOf(shop.dev, 'webhooks', 'endpoint_created')),
		url: urlOf('/kept'),
		headers: 'X-Key: private-value',
	};
	const ended = await send(pageAt('webhooks'), { fields: form });
	expect([ended.status, ended.html.includes('/kept'), ended.html.includes('private-value')]).toEqual([
		401,
		true,
		false,
	]);
	const foreign = await post(shop.dev, 'webhooks', { ...form, token: 'x' });
	expect([foreign.status, foreign.html.includes('private-value')]).toEqual([403, false]);
});

it('the row of a failing endpoint says since when it has failed, and links to the deliveries it misses; its title is the description or host', async () => {
	const shop = await developedShop();
	const health = { ...HEALTHY, failing_since: '2026-11-20T08:00:00.000Z', consecutive_failures: 20 };
	const failing = subscribed('fails', 1e12, { workspace_id: shop.id, health });
	const named = subscribed('works', 1e12 + 1, { workspace_id: shop.id, description: 'Bookings' });
	await store.commit([failing, named].map((item) => put('webhook_endpoint', item)));
	const { html } = await send(pageAt('webhooks'), shop.dev);
	const [works = '', fails = ''] = html.split('<li class="item">').slice(1);
	expect(works).toMatch(/<strong>Bookings<.*>Enabled</s);
	expect(works).not.toContain('Not delivered');
	expect(fails).toMatch(/<strong>fails\.example<.*>Failing<.*Every attempt has failed since Fri, Nov 20/s);
	expect(fails).toContain(`href="deliveries?endpoint_id=${failing.id}">Not delivered<`);
});

/**
 * The texts of the row and of the page of an endpoint, without markup. `results`: the results of the endpoint's attempts,
 * oldest first.
 */
async function shownAfter(results: readonly Partial<Attempt>[], changes: Partial<WebhookEndpoint> = {}, ageDays = 0) {
	const shop = await developedShop();
	const now = clock.now();
	const health = { ...HEALTHY, failing_since: new Date(now).toISOString(), consecutive_failures: 1 };
	const endpoint = subscribed('fails', now - ageDays * 86_400_000, { workspace_id: shop.id, health, ...changes });
	const deliveries = results.map((result, nth) => {
		const started_at = new Date(now + nth * 1000).toISOString();
		const last_attempt = { ...samples.delivery_attempt.attempt, started_at, ...result };
		const id = derivedId(now + nth, 'delivery');
		return put('delivery', { ...samples.delivery, id, workspace_id: shop.id, endpoint_id: endpoint.id, last_attempt });
	});
	await store.commit([put('webhook_endpoint', endpoint), ...deliveries]);
	const textAt = async (page: string) =>
		(await send(pageAt(page), shop.dev)).html.replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, '\n').replaceAll(/\s+/g, ' ');
	return { row: await textAt('webhooks'), page: await textAt(`webhooks?id=${endpoint.id}`) };
}
const SUCCEEDED = { error: null, response_status: 200, hint: null, response_body: 'thank you' } as const;

it('the row and the page of an endpoint that never worked say what it answers and since when it has failed, and claim no success', async () => {
	const { row, page } = await shownAfter([FAILED]);
	expect(row).toMatch(
		/Failing Answered 401 \{&quot;why&quot;:&quot;secret&quot;\} .*Every attempt has failed since .*Not delivered/,
	);
	expect(page).toMatch(
		/Failing Every attempt has failed since .* Answered 401 .* Check the secret\. \{ &quot;why&quot;: &quot;secret&quot; \}/,
	);
	expect(page).toMatch(/Last success None yet Its deliveries/);
	for (const text of [row, page]) expect(text).not.toContain('succeeded');
});

it.each([
	['one delivery, of a new endpoint', [FAILED], 29, 'None yet'],
	['ten deliveries, which may not be all', Array(10).fill(FAILED), 0, 'None in its newest deliveries'],
	[
		'one delivery, of an endpoint that is older than the deliveries that we keep',
		[FAILED],
		31,
		'None in its newest deliveries',
	],
	['a success before the failure', [SUCCEEDED, FAILED], 0, ':00 AM'],
] as const)(
	'the page of a failing endpoint says when its last success was, or that there is none, after %s',
	async (_, results, ageDays, says) => {
		const { page } = await shownAfter(results, {}, ageDays);
		expect(/Last success (.*?) Last failed attempt/.exec(page)?.[1] ?? page).toContain(says);
	},
);

it.each([
	[99, 'None in its newest deliveries'],
	[150, 'None among the newest 100 failed deliveries'],
])(
	'where the shop has %d failed deliveries of other endpoints, the page of one that works says: %s',
	async (count, says) => {
		const shop = await developedShop();
		const nowMs = clock.now();
		const works = subscribed('works', nowMs, { workspace_id: shop.id });
		const own = Array.from({ length: 10 }, (_, n) => n);
		const others = Array.from({ length: count }, (_, n) => n + 100);
		await store.commit([put('webhook_endpoint', works)]);
		for (const n of [...own, ...others]) {
			const { attempt } = samples.delivery_attempt;
			const fate =
				n < 100 ? ({ status: 'succeeded', error: null } as const) : ({ status: 'failed', error: 'timeout' } as const);
			const item = {
				...samples.delivery,
				id: derivedId(nowMs + n, 'delivery'),
				workspace_id: shop.id,
				endpoint_id: n < 100 ? works.id : derivedId(nowMs, 'another endpoint'),
				status: fate.status,
				last_attempt: { ...attempt, error: fate.error },
			};
			await store.commit([put('delivery', item)]);
		}
		const { html } = await send(pageAt(`webhooks?id=${works.id}`), shop.dev);
		expect(html).toContain(`<dt>Last failed attempt</dt><dd>${says}</dd>`);
	},
);

it.each([
	['an endpoint that answered 410', 'gone', 'It answered 410 (Gone).'],
	['an endpoint that failed for days', 'failing', 'It has taken no delivery for five days.'],
] as const)(
	'the row and the page of %s say its last answer and the reason why it is disabled',
	async (_, disabled_reason, why) => {
		const shown = await shownAfter([FAILED], { status: 'disabled', disabled_reason });
		expect(shown.row).toContain(`Disabled Answered 401 ${why}`);
		expect(shown.page).toContain(`Disabled ${why} Call requested: Answered 401`);
	},
);

it.each([
	['works again', [FAILED, SUCCEEDED], { health: HEALTHY }],
	['was disabled by a person while it failed', [FAILED], { status: 'disabled', disabled_reason: 'manual' }],
] as const)('an endpoint that %s shows no answer of a failure in its row', async (_, results, changes) => {
	const { row } = await shownAfter(results, changes);
	expect([row.includes('Answered'), row.includes('secret&quot;')]).toEqual([false, false]);
});

it.each([
	[
		'a page of HTML',
		'<!doctype html><style>b{color:red}</style><b>502 Bad Gateway</b><hr>nginx',
		'502 Bad Gateway nginx',
	],
	['several lines', 'no\n\n  such\tuser', 'no such user'],
	['a long text', 'x'.repeat(500), 'x'.repeat(200)],
	['many quotation marks', '"'.repeat(500), '&quot;'.repeat(33)],
	['characters of four bytes', '\u{1f4de}'.repeat(500), '\u{1f4de}'.repeat(50)],
	['text with a tag in it', 'a <b> c', 'a &lt;b&gt; c'],
	['invisible characters only', '\u200b\u202e', ''],
	['nothing', '', ''],
])('the row of a failing endpoint shows an answer of %s on one line, as text', async (_, response_body, says) => {
	const { row } = await shownAfter([{ ...FAILED, response_body }]);
	expect(/Answered 401 (.*?) ?fails\.example/.exec(row)?.[1]).toBe(says);
});
