import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ReceivedWebhook } from '../../local/console/page/wire.ts';
import type { CallRecord } from '../../shared/domain/calls/call-record.ts';
import { traceIdOf } from '../../shared/domain/kernel/trace-context.ts';
import { consentText, PLAIN_CONSENT } from '../../shared/domain/workspaces/consent-text.ts';
import { erasePerson } from '../../shared/use-cases/retention/erase-person.ts';
import { createWebhookEndpoint } from '../../shared/use-cases/webhooks/create-webhook-endpoint.ts';
import { createWorkspace } from '../../shared/use-cases/workspaces/create-workspace.ts';
import { operatorAt } from '../support/operator.ts';
import { type ReadSpan, readOtlp } from '../support/otlp-reader.ts';
import { call, eventually, fromConsole, visitorBody } from '../support/stack/api.ts';
import { deskForms, deskShops } from '../support/stack/desk-shops.ts';
import { formsIn } from '../support/stack/forms-in-page.ts';
import type { Shop } from '../support/stack/new-shop.ts';
import { suiteStack } from '../support/stack/suite-stack.ts';
import { started } from '../support/started.ts';
import { bearer, freshPhoneWho, newKey, operatorOf } from '../support/webhooks/customers.ts';

// Makes more than twenty kinds of calls on a running stack. Sends their traces to the code of the OpenTelemetry Collector,
// which has to understand each.

/** How many calls run at the same time. More calls would only wait for the same functions. */
const AT_ONCE = 7;
/** A port that refuses connections. */
const CLOSED = 'localhost:9';
const stack = suiteStack({ allow_webhook_hosts: [CLOSED] });
const shops = deskShops(() => stack);
const { newShop, leaveNumber, linkTo } = shops;
const ops = started(
	() => operatorOf(stack),
	() => undefined,
);
const { desk, send, signIn, post } = deskForms(() => stack, { linkTo });

const ONE = ['Ida:+13125550101'];
const { id: COVERS_CALL_BACK } = consentText({ consent_text: PLAIN_CONSENT, consent_texts: {} }, 'en', 'call');
type Settings = Parameters<typeof newShop>[1];

type Site = Pick<Shop, 'id' | 'workspace_key' | 'allowed_origin'>;
let sites = 0;

async function subscribed<S extends Site>(site: S): Promise<S> {
	const about = {
		description: null,
		events: ['call.requested', 'call.connected', 'call.completed', 'call.failed'],
	} as const;
	await createWebhookEndpoint({ ...about, workspace_id: site.id, url: stack.inbox_url }, ops);
	return site;
}
/** A workspace without a desk. */
async function siteWith(settings: Settings = {}): Promise<Site> {
	sites += 1;
	const allowed_origin = `https://site-${sites}.example`;
	const team_email = `team-${sites}@shop.example`;
	const place = { name: `Site ${sites}`, region: 'US', time_zone: 'America/New_York', origins: [allowed_origin] };
	const made = await createWorkspace({ ...place, team: ONE, team_email, ...settings }, ops);
	if ('refused' in made) throw new Error(made.refused);
	const { id, workspace_key } = made.workspace;
	return subscribed({ id, workspace_key, allowed_origin });
}
const deskShop = async (settings: Settings = {}): Promise<Shop> =>
	subscribed(await newShop('US', { team: ONE, ...settings }));

async function requestCall(shop: Site, phone: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
	const body = visitorBody(shop, { phone, name: 'Ada', ...more });
	const headers = { origin: shop.allowed_origin, 'idempotency-key': randomUUID() };
	// If the machine is slow, the stack does not accept all concurrent calls in time. The test then repeats the request.
	return eventually(`the call to ${phone.slice(-2)} is accepted`, async () => {
		const { status, json } = await call(stack.base_url, '/widget/call-requests', { headers, body });
		if (status >= 500) return null;
		if (status !== 202) throw new Error(`the call to ${phone.slice(-2)} was refused: ${json.code}`);
		return json.data.id;
	});
}
async function callWhen(id: string, has: (record: CallRecord) => boolean): Promise<CallRecord> {
	return eventually(`the call ${id} got there`, async () => {
		const record = await ops.store.get('call', { id });
		return record !== null && has(record) ? record : null;
	});
}
const ended = (id: string) => callWhen(id, ({ completed_at, due_at }) => completed_at !== null && due_at === null);
/** Waits until the shop has a call that is not one of the known calls. */
async function anotherCall(shop: Site, ...known: readonly string[]): Promise<string> {
	return eventually('another call was placed', async () => {
		const range = { from_id: null, before_id: null, limit: 5 };
		const [newest] = (await ops.store.list('call', shop.id, range)).filter(({ id }) => !known.includes(id));
		return newest?.id ?? null;
	});
}

/** A kind of call. The function makes such a call in a new shop, and returns its id. */
type Kind = () => Promise<{ readonly shop: Site; readonly id: string }>;

const visitor =
	(ending: string, settings: Settings = {}): Kind =>
	async () => {
		const shop = await siteWith(settings);
		const id = await requestCall(shop, freshPhoneWho(ending));
		await ended(id);
		return { shop, id };
	};

/** A call that a server of the shop cancels as soon as it has this status. */
const canceled =
	(ending: string, status: string): Kind =>
	async () => {
		const shop = await siteWith();
		const id = await requestCall(shop, freshPhoneWho(ending));
		await callWhen(id, (record) => record.status === status);
		const { secret } = await newKey(ops, shop.id, ['calls:write']);
		const { status: answer } = await call(stack.base_url, `/calls/${id}/cancel`, { body: {}, headers: bearer(secret) });
		expect(answer).toBe(200);
		await ended(id);
		return { shop, id };
	};

/** The owner of the shop sends the form for an action on the page *Today*. Returns the page to which the response redirects. */
async function pressOnDesk(shop: Shop, action: string) {
	const session = await signIn(shop.owner, shop.id);
	const form = await eventually(`the desk has ${action}`, async () => {
		const { html } = await send(desk('pages/today'), session);
		return formsIn(html).find((fields) => fields['action'] === action) ?? null;
	});
	const { headers } = await post(session, 'today', form);
	return { session, next: new URL(headers.get('location') ?? '', desk('pages/today')).href };
}
async function callBack(shop: Shop): Promise<void> {
	const { session, next } = await pressOnDesk(shop, 'lead_called');
	const { html } = await send(next, session);
	const [, phone = ''] = /name="phone" value="(\w+)"/.exec(html) ?? [];
	expect((await send(next, { cookie: session.cookie, fields: { phone } })).status).toBe(202);
}

const kinds: Readonly<Record<string, Kind>> = {
	'both talk': visitor('01'),
	'the visitor is busy': visitor('02'),
	'the visitor does not answer': visitor('03'),
	'the visitor rejects the call': visitor('04'),
	'a mailbox answers': visitor('05'),
	'the number is not in service': visitor('06'),
	'the provider fails once': visitor('07'),
	'each report of the provider comes twice': visitor('08'),
	'the provider reports nothing': visitor('09'),
	'the visitor’s dial is throttled and repeated': visitor('14'),
	'the provider refuses the visitor’s number': visitor('15'),
	'the visitor hangs up at once': visitor('17'),
	'the visitor declines': visitor('18'),
	'no member answers': visitor('01', { team: ['Ida:+13125550103'] }),
	'the provider refuses the team’s number': visitor('01', { team: ['Ida:+13125550115'] }),
	'the team’s dial is throttled and repeated': visitor('01', { team: ['Ida:+13125550114'] }),
	'the member hangs up first': visitor('10', { team: ['Ida:+13125550111'] }),
	'two members ring at once': visitor('01', { team: [...ONE, 'Ben:+14155550101'] }),
	'two members ring one after the other': visitor('01', {
		team: ['Ben:+14155550103', ...ONE],
		ring_strategy: 'sequential',
	}),
	'the visitor rings first': visitor('01', { ring_order: 'visitor_first' }),
	'it is canceled before anyone talks': canceled('03', 'ringing'),
	'it is canceled during the conversation': canceled('10', 'connected'),
	'it goes on': async () => {
		const shop = await siteWith();
		const id = await requestCall(shop, freshPhoneWho('10'));
		await callWhen(id, ({ status }) => status === 'connected');
		return { shop, id };
	},
	'a receiver of its webhooks is down': async () => {
		const shop = await siteWith();
		const about = { description: null, events: ['call.failed'], url: `https://${CLOSED}/down` } as const;
		await createWebhookEndpoint({ ...about, workspace_id: shop.id }, ops);
		const id = await requestCall(shop, freshPhoneWho('02'));
		await ended(id);
		return { shop, id };
	},
	'a lead is called back': async () => {
		const shop = await deskShop();
		await leaveNumber(shop, freshPhoneWho('01'), 'Ada');
		await callBack(shop);
		const id = await anotherCall(shop);
		await ended(id);
		return { shop, id };
	},
	'a missed call is called back': async () => {
		const shop = await deskShop({ team: ['Ida:+13125550103'] });
		const missed = await requestCall(shop, freshPhoneWho('01'), { consent_text_id: COVERS_CALL_BACK });
		await ended(missed);
		await callBack(shop);
		const id = await anotherCall(shop, missed);
		await ended(id);
		return { shop, id };
	},
	'an owner tests a phone': async () => {
		const shop = await deskShop();
		await pressOnDesk(shop, 'test_called');
		const id = await anotherCall(shop);
		await ended(id);
		return { shop, id };
	},
	'the visitor was erased': async () => {
		const shop = await siteWith();
		const e164 = freshPhoneWho('17');
		const id = await requestCall(shop, e164);
		await ended(id);
		await erasePerson({ workspace_id: shop.id, e164, keep_consent: false }, ops, () => undefined);
		return { shop, id };
	},
};

/**
 * What the trace of each kind of call contains in addition to what every trace contains. A text is the name of a span; a
 * pattern matches a span's name, status, attributes and number of links.
 */
const found: Readonly<Record<string, readonly (string | RegExp)[]>> = {
	'both talk': [
		'conversation',
		/^phone of a team member Unset .*leg\.is_dialed=true/,
		/^phone of the visitor Unset .*leg\.cause=completed/,
	],
	'the visitor is busy': [/^call Error .*failure_reason=visitor_busy/],
	'the visitor’s dial is throttled and repeated': ['conversation'],
	'no member answers': [
		/^call Error .*no_agent_answer/,
		/^phone of a team member Error .*no_answer/,
		/^notice by mail/,
	],
	'the provider refuses the team’s number': [/^phone of a team member Error .*refused_code=/],
	'it is canceled before anyone talks': [/^call Error .*status=canceled/],
	'it is canceled during the conversation': [/^call Unset .*status=completed/, 'conversation'],
	'it goes on': [/^call Unset .*in_progress=true/, /^conversation Unset .*in_progress=true/],
	'a receiver of its webhooks is down': [/^attempt 3 Error .*error\.type=/, /^delivery Error .*status=failed/],
	'a lead is called back': [/^call Unset .*links=1/],
	'a missed call is called back': [/^call Error .*links=1/],
	'an owner tests a phone': [/^call Unset .*is_test=true/, 'conversation'],
	'two members ring one after the other': [/^phone of a team member Error .*no_answer/, 'conversation'],
};

const asText = ({ name, status, attributes, links }: ReadSpan): string =>
	[name, status, ...Object.entries(attributes).map(([key, value]) => `${key}=${value}`), `links=${links}`].join(' ');

/** A span with all spans below it. */
function below(span: ReadSpan, all: readonly ReadSpan[]): readonly ReadSpan[] {
	const children = all.filter(({ parent_span_id }) => parent_span_id === span.span_id);
	return [span, ...children.flatMap((child) => below(child, all))];
}

describe('the traces, read by OpenTelemetry’s own reader,', () => {
	const made = new Map<string, Awaited<ReturnType<Kind>>>();
	let spans: readonly ReadSpan[] | null = [];

	beforeAll(async () => {
		const all = Object.entries(kinds);
		for (let first = 0; first < all.length; first += AT_ONCE)
			await Promise.all(all.slice(first, first + AT_ONCE).map(async ([name, make]) => made.set(name, await make())));
		const shell = operatorAt(ops);
		const files: string[] = [];
		for (const [name, { shop }] of made) {
			await eventually(`the webhooks of "${name}" are over`, async () => {
				const range = { from_id: null, before_id: null, limit: 100 };
				const deliveries = await ops.store.list('delivery', shop.id, range);
				return deliveries.every(({ status }) => status !== 'pending') || null;
			});
			const file = join(stack.state_dir, `${shop.id}.jsonl`);
			const since = ['--workspace', shop.id, '--since', '1h', '--otlp', file];
			expect(await shell('call', 'trace', ...since)).toMatchObject({ code: 0, err: '' });
			files.push(readFileSync(file, 'utf8'));
		}
		spans = readOtlp(files.join(''));
		if (spans === null) process.stderr.write('skipped: no Go, or not its packages\n');
	});

	it.each(Object.keys(kinds))('have one tree of spans for a call: %s', (name) => {
		const { id = '' } = made.get(name) ?? {};
		if (spans === null) return;
		const own = spans.filter(({ trace_id }) => trace_id === traceIdOf(id));
		const roots = own.filter(({ parent_span_id }) => parent_span_id === '');
		expect(roots.map((root) => root.name)).toEqual(['call']);
		const tree = roots.flatMap((root) => below(root, own)).map(({ span_id }) => span_id);
		expect(tree.toSorted()).toEqual(own.map(({ span_id }) => span_id).sort());
		expect(new Set(tree).size).toBe(tree.length);
		expect(own.filter(({ start_ms, end_ms }) => end_ms < start_ms)).toEqual([]);
		const isTest = name === 'an owner tests a phone';
		expect(own.some((span) => span.name.startsWith('attempt'))).toBe(!isTest);
		for (const part of [/^phone of (the visitor|a team member) /, ...(found[name] ?? [])])
			expect(own.map(asText)).toContainEqual(
				typeof part === 'string' ? expect.stringMatching(`^${part} `) : expect.stringMatching(part),
			);
	});

	it('have no number, name, address, secret or id of the phone provider in any span', async () => {
		const records = await Promise.all([...made.values()].map(({ id }) => ops.store.get('call', { id })));
		const providerIds = records.flatMap((record) => record?.legs.flatMap(({ provider_id }) => provider_id ?? []) ?? []);
		expect(providerIds.length).toBeGreaterThan(made.size);
		const text = JSON.stringify(spans);
		expect(providerIds.filter((id) => text.includes(id))).toEqual([]);
		expect(text).not.toMatch(/\+1\d|\d{3}55501\d\d|\bAda\b|\bIda\b|\bBen\b|@|localhost|\.example|cbk_live_|whsec_/);
	});

	it('have one tree for a lead, with its calls back', async () => {
		const { shop } = made.get('a lead is called back') ?? {};
		if (spans === null) return;
		const leads = spans.filter(({ name }) => name === 'callback lead');
		expect(leads.map(({ attributes }) => attributes['lead.workspace_id'])).toEqual([shop?.id]);
		const own = spans.filter(({ trace_id }) => trace_id === leads[0]?.trace_id);
		expect(leads.flatMap((root) => below(root, own))).toHaveLength(own.length);
		expect(own.map(({ name }) => name)).toContain('call back');
	});

	it('have the parent of each span that a receiver adds', async () => {
		if (spans === null) return;
		const attempts = new Set(spans.map(({ trace_id, span_id }) => `00-${trace_id}-${span_id}-01`));
		const inbox: readonly ReceivedWebhook[] = await fromConsole(stack, '/inbox/demo');
		const received = inbox.map(({ headers }) => `${headers['traceparent']}`);
		expect(received.length).toBeGreaterThan(made.size);
		expect(received.filter((traceparent) => !attempts.has(traceparent))).toEqual([]);
	});
});
