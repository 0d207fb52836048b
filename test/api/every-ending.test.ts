import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Dynamo, startDynamo } from '../../local/aws/dynamodb.ts';
import { type OpsDeps, operatorDeps, readOperatorEnv } from '../../ops/connect.ts';
import { newSession } from '../../shared/domain/desk/session-cookie.ts';
import { deliveriesPage } from '../../shared/http/desk/deliveries/deliveries-page.ts';
import { viewOf } from '../../shared/http/desk/kit/view.ts';
import { createApiKey } from '../../shared/use-cases/access/api-keys.ts';
import { type SqsStandIn, startSqs } from '../support/aws/stand-ins.ts';
import { tableContents } from '../support/aws/table-contents.ts';
import { startWiretap, type Wiretap } from '../support/aws/wiretap.ts';
import { type Canary, filesBelow, type Gathered, leaks, phone, secret } from '../support/calls/traces.ts';
import { operatorAt } from '../support/operator.ts';
import { type ApiResponse, call, eventually, fromConsole, visitorBody } from '../support/stack/api.ts';
import { type StackProcess, startStackProcess } from '../support/stack/stack-process.ts';

// Ends calls on a running stack in every possible way, through the API. Checks each record and its events, and searches for phone
// numbers in places where they must not be.

const AREA = '857';
const number = (ending: string): string => `+1${AREA}55501${ending}`;
const TEAM = ['+13125550101', '+14155550101'];
const NAME = 'Wilhelmina Quux-Canary';
const HEADER_VALUE = 'canary-of-a-custom-header-5e1f';

/**
 * For each simulated number: the status with which a call to it ends, and the failure reason. A completed call has no failure
 * reason.
 */
const ENDINGS = {
	'01': ['completed', null],
	'02': ['failed', 'visitor_busy'],
	'03': ['failed', 'visitor_no_answer'],
	'04': ['failed', 'visitor_rejected'],
	'05': ['failed', 'voicemail'],
	'06': ['failed', 'number_unreachable'],
	'07': ['completed', null],
	'08': ['completed', null],
	'09': ['failed', 'visitor_no_answer'],
	'10': ['completed', null],
	'14': ['completed', null],
	'15': ['failed', 'provider_rejected'],
	'17': ['completed', null],
	'18': ['failed', 'visitor_busy'],
} as const;
type Ending = keyof typeof ENDINGS;
const endings = Object.keys(ENDINGS) as Ending[];

let directory: string;
let dynamo: Dynamo;
let queues: SqsStandIn;
let taps: { readonly table: Wiretap; readonly queues: Wiretap };
let stack: StackProcess;
/** Every response to a client, except those that show a secret once. */
const answers: string[] = [];
/** The private values, and the places where each may appear. */
const canaries: Canary[] = [];
const calls = new Map<string, string>();

beforeAll(async () => {
	directory = mkdtempSync(join(tmpdir(), 'call-back-endings-'));
	dynamo = await startDynamo(join(directory, 'table.db'));
	queues = await startSqs();
	taps = { table: await startWiretap(dynamo.url), queues: await startWiretap(queues.endpoint) };
	stack = await startStackProcess(join(directory, 'state'), ['--port', '0', '--speed', '20'], {
		AWS_ENDPOINT_URL_DYNAMODB: taps.table.url,
		AWS_ENDPOINT_URL_SQS: taps.queues.url,
	});
	canaries.push(
		...[...endings.map(number), number('20'), number('19'), ...TEAM].map((e164) => phone(e164)),
		secret('API key', stack.api_key, [/^printed$/, /\/(demo|stack)\.json$/]),
	);
});
afterAll(async () => {
	await stack?.stop();
	await Promise.all([taps?.table.close(), taps?.queues.close()]);
	await Promise.all([dynamo?.stop(), queues?.stop()]);
	rmSync(directory, { recursive: true, force: true });
});

const bearer = () => ({ authorization: `Bearer ${stack.api_key}` });
const origin = () => ({ origin: stack.allowed_origin });

type Send = Parameters<typeof call>[2];
async function ask(path: string, send: Send = {}): Promise<ApiResponse> {
	const answer = await call(stack.base_url, path, send);
	answers.push(`${path} ${JSON.stringify([...answer.headers])} ${answer.text}`);
	return answer;
}
const visit = (path: string, changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) => {
	const body = visitorBody(stack, { name: NAME, ...changes });
	// The service must not store a plain hash of the body: a person who knows the other fields could find the number by trying all
	// numbers.
	const plain = createHash('sha256').update(JSON.stringify(body)).digest();
	canaries.push({ what: 'plain hash of a body', forms: [plain.toString('base64url'), plain.toString('hex')] });
	return ask(`/widget/${path}`, { body, headers: { ...origin(), ...headers } });
};
const read = async (id: string) => (await ask(`/calls/${id}`, { headers: bearer() })).json.data;

async function requestCall(ending: string, idempotencyKey = `call to ${ending}`): Promise<string> {
	const phone = `+1 (${AREA}) 555-01${ending}`;
	const answer = await visit('call-requests', { phone }, { 'idempotency-key': idempotencyKey });
	expect(answer.status).toBe(202);
	return answer.json.data.id;
}

async function callIs(id: string, ...statuses: string[]) {
	return await eventually(`call ${id} is ${statuses.join(' or ')}`, async () => {
		const record = await read(id);
		return statuses.includes(record.status) ? record : null;
	});
}
const callOver = (id: string) => callIs(id, 'completed', 'failed', 'canceled');

type Event = {
	readonly id: string;
	readonly event: string;
	readonly created_at: string;
	readonly data: { readonly id: string; readonly status: string; readonly duration_seconds: number | null };
};

/** The verified events of a call, in the order of their creation. */
async function eventsOf(id: string, last: string): Promise<readonly Event[]> {
	const events = await eventually(`${last} of ${id}`, async () => {
		const json = await fromConsole(stack, '/inbox/demo');
		const all: Event[] = json
			.filter((received: { verified: boolean }) => received.verified)
			.map((received: { body: string }) => JSON.parse(received.body))
			.filter(({ data }: Event) => data.id === id);
		const { json: deliveries } = await ask('/webhook-deliveries?status=pending&limit=100', { headers: bearer() });
		return all.some(({ event }) => event === last) && deliveries.data.length === 0 ? all : null;
	});
	const unique = new Map(events.map((event) => [event.event, event]));
	return [...unique.values()].sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
}

/** Waits until the people have talked for more than a second, and then cancels the call. */
async function cancelWhileTalking(id: string): Promise<void> {
	await callIs(id, 'connected');
	await eventually('they have talked for more than a second', async () => {
		const { connected_at } = await read(id);
		return Date.now() - Date.parse(connected_at) > 1200 ? true : null;
	});
	const canceled = await ask(`/calls/${id}/cancel`, { body: {}, headers: bearer() });
	expect(canceled.status).toBe(200);
}

describe('a call to each simulated number', () => {
	it('is requested at once, so that all calls are in progress together', async () => {
		for (const ending of endings) calls.set(ending, await requestCall(ending));
		await cancelWhileTalking(calls.get('10') ?? '');
	});

	it.each(endings)('ends as docs/telephony.md says, with its times and its events: …%s', async (ending) => {
		const id = calls.get(ending) ?? '';
		const record = await callOver(id);
		const [status, failure_reason] = ENDINGS[ending];
		expect(record).toMatchObject({ status, failure_reason, visitor_phone_masked: `+1********${ending}` });
		expect(record.source_url).toBe(`${stack.allowed_origin}/pricing`);
		expect(record.completed_at >= record.created_at).toBe(true);

		const spoken = status === 'completed';
		const last = spoken ? 'call.completed' : 'call.failed';
		const events = await eventsOf(id, last);
		const kinds = ['call.requested', 'call.ringing', ...(spoken ? ['call.connected'] : []), last];
		expect(events.map(({ event }) => event).sort()).toEqual([...kinds].sort());
		const end = events.find(({ event }) => event === last);
		expect(end?.data).toMatchObject({ status, duration_seconds: record.duration_seconds });
		const live = events.filter(({ event }) => event !== last);
		for (const event of live) {
			expect(event.data).toMatchObject({ status: event.event.slice('call.'.length), duration_seconds: null });
			expect(event.created_at <= (end?.created_at ?? '')).toBe(true);
		}
		if (spoken) {
			expect(record.connected_at >= record.created_at && record.completed_at >= record.connected_at).toBe(true);
			const talkedMs = Date.parse(record.completed_at) - Date.parse(record.connected_at);
			expect(record.duration_seconds).toBe(Math.floor(talkedMs / 1000));
		} else {
			expect(record).toMatchObject({ connected_at: null, duration_seconds: 0 });
		}
		const seen = await ask(`/widget/call-requests/${id}/status`, { headers: origin() });
		expect(seen.json.data).toEqual({
			id,
			status,
			failure_reason,
			duration_seconds: record.duration_seconds,
			poll_after_ms: null,
			visitor_phone_rings: false,
			connected_for_ms: null,
		});
	});

	it('connects and stays connected, and its seconds are counted until it is cancelled', async () => {
		expect((await read(calls.get('10') ?? '')).duration_seconds).toBeGreaterThanOrEqual(1);
	});

	it('rings each person once, whatever the provider responds or repeats', async () => {
		const log = await fromConsole(stack, '/phones');
		const dialed = log.filter(({ what }: { what: string }) => what === 'dialed');
		const legs = dialed.map(({ leg_id }: { leg_id: string }) => leg_id);
		expect(new Set(legs).size).toBe(legs.length);
		for (const id of calls.values()) {
			const ofCall = dialed.filter(({ call_id }: { call_id: string }) => call_id === id);
			const people = new Set(ofCall.map(({ person }: { person: string }) => person));
			expect(people.size).toBe(ofCall.length);
			// Two members' phones and the visitor's phone ring. If one member accepts before the other member's phone was dialled,
			// only one member's phone rings.
			expect([2, 3]).toContain(people.size);
		}
	});

	it('sends `call.failed` with the status `canceled` if it is canceled before a conversation', async () => {
		// The visitor with this number never answers, so the call cannot connect before it is canceled, even on a slow machine.
		const id = await requestCall('03', 'to be canceled');
		const canceled = await ask(`/calls/${id}/cancel`, { body: {}, headers: bearer() });
		expect(canceled.json.data).toMatchObject({ status: 'canceled', failure_reason: 'canceled', duration_seconds: 0 });
		const events = await eventsOf(id, 'call.failed');
		expect(events.find(({ event }) => event === 'call.failed')?.data.status).toBe('canceled');
		const again = await ask(`/calls/${id}/cancel`, { body: {}, headers: bearer() });
		expect([again.status, again.json.call_status]).toEqual([409, 'canceled']);
	});
});

/** Uses phone numbers in requests that start no call: creates leads, causes refusals, and forges a provider's callback. */
async function everythingElse(): Promise<void> {
	const lead = await visit('callback-leads', { phone: number('19') }, { 'idempotency-key': 'lead' });
	expect(lead.status).toBe(201);
	await visit('callback-leads', { phone: number('19') }, { 'idempotency-key': 'lead' });
	await ask(`/callback-leads/${lead.json.data.id}`, {
		method: 'PATCH',
		body: { status: 'handled' },
		headers: bearer(),
	});
	await ask('/callback-leads', { headers: bearer() });
	await ask('/calls?limit=100', { headers: bearer() });
	const refused = [
		await visit('call-requests', { phone: `${number('19')}234567` }),
		await visit('call-requests', { phone: number('19'), consent: false }),
		await visit('call-requests', { phone: number('19'), page_url: 'https://elsewhere.example/' }),
		await visit('call-requests', { phone: number('19') }, { origin: 'https://elsewhere.example' }),
		await visit('call-requests', { phone: number('19') }, { 'idempotency-key': 'lead\u0001' }).catch(() => null),
		await visit('callback-leads', { phone: number('20') }, { 'idempotency-key': 'lead' }),
		await visit('callback-leads', { phone: { number: number('19') } }),
	];
	expect(refused.map((answer) => answer?.status ?? 0).filter((status) => status >= 400)).toHaveLength(6);
	const raw = `{"phone":"${number('19')}",`;
	await ask('/widget/call-requests', { raw, headers: origin() });
	await visit('callback-leads', {
		phone: number('19'),
		page_url: `${stack.allowed_origin}/thanks?tel=${encodeURIComponent(number('19'))}&utm_source=mail#${number('19')}`,
	});
	const callback = `/telephony/${calls.get('01')}/${calls.get('01')}/status`;
	const forged = await ask(callback, { raw: JSON.stringify({ to: number('19') }) });
	expect(forged.status).toBe(403);
}

async function endpointsComeAndGo(): Promise<void> {
	const headers = bearer();
	// These two responses contain secrets, so `call` sends the requests: `ask` would add the responses to `answers`.
	const created = await call(stack.base_url, '/webhook-endpoints', {
		body: {
			url: `${stack.inbox_url}-2`,
			events: ['call.failed', 'callback.requested'],
			headers: { 'x-shop-token': HEADER_VALUE },
		},
		headers: { ...headers, 'idempotency-key': 'endpoint' },
	});
	expect(created.status).toBe(201);
	const { id } = created.json.data;
	const rotated = await call(stack.base_url, `/webhook-endpoints/${id}/rotate-secret`, { body: {}, headers });
	expect(rotated.status).toBe(200);
	canaries.push(secret('webhook secret', created.json.data.secret), secret('new secret', rotated.json.data.secret));
	canaries.push(secret('value of a custom header', HEADER_VALUE, [/\/inbox\.jsonl$/]));
	await ask(`/webhook-endpoints/${id}/test`, { body: { event: 'call.failed' }, headers });
	// The new endpoint also gets the event of this lead.
	expect((await visit('callback-leads', { phone: number('18') })).status).toBe(201);
	await ask('/webhook-endpoints', { headers });
}

const operator = () => {
	const file = join(directory, 'state', 'operator.json');
	return operatorDeps(readOperatorEnv(JSON.parse(readFileSync(file, 'utf8'))));
};

/** Creates a second key as `npm run ops` does. */
async function anotherKey(): Promise<void> {
	const deps = await operator();
	const { workspace_id } = stack;
	const made = await createApiKey({ workspace_id, name: 'second', permissions: ['calls:read'] }, deps);
	if ('refused' in made) throw new Error(made.refused);
	const headers = { authorization: `Bearer ${made.secret}` };
	expect((await ask('/calls', { headers })).status).toBe(200);
	expect((await ask('/webhook-endpoints', { headers })).status).toBe(403);
	canaries.push(secret('second API key', made.secret));
}

/** The traces of all calls and leads, as operators read them and as a collector gets them. */
async function tracesShown(): Promise<string> {
	const ops = operatorAt(await operator());
	const callsShown = await Promise.all(
		endings.map((ending) => ops('call', 'trace', '--call', calls.get(ending) ?? '')),
	);
	const since = ['--workspace', stack.workspace_id, '--since', '1h'];
	const written = await ops('call', 'trace', ...since, '--otlp', join(directory, 'traces.jsonl'));
	expect([...callsShown, written].map(({ code, err }) => [code, err])).toEqual([...endings, ''].map(() => [0, '']));
	return callsShown.map(({ out }) => out).join('\n');
}

/** Events and deliveries as operators and developers see them. `answers` already has the API's responses. */
async function eventsShown(): Promise<string> {
	const headers = bearer();
	const pages = [await ask('/events?limit=100', { headers }), await ask('/events?limit=100&order=asc', { headers })];
	const events: Event[] = pages.flatMap(({ json }) => json.data);
	const kinds = Map.groupBy(events, ({ event }) => event);
	for (const [newest] of kinds.values()) await ask(`/events/${newest?.id}`, { headers });
	const { json: deliveries } = await ask('/webhook-deliveries?limit=100', { headers });
	const ids: readonly string[] = deliveries.data.map(({ id }: { readonly id: string }) => id);
	for (const id of ids) expect((await ask(`/webhook-deliveries/${id}`, { headers })).status).toBe(200);
	const deps = await operator();
	const listed = await operatorAt(deps)('event', 'list', '--workspace', stack.workspace_id);
	expect([listed.code, kinds.size]).toEqual([0, 6]);
	const pagesOfDeliveries = await deliveryPages(ids, deps);
	return [listed.out, ...pagesOfDeliveries].join('\n');
}

/** The desk's pages of the deliveries with these ids, made from the stack's stored data. */
async function deliveryPages(ids: readonly string[], { store, clock }: OpsDeps): Promise<readonly string[]> {
	const workspace = await store.get('workspace', { id: stack.workspace_id });
	if (workspace === null) throw new Error('the workspace is gone');
	const address = 'dev@agency.example';
	const secret = new Uint8Array(32);
	const session = newSession(secret, { workspace_id: workspace.id, address }, clock.now());
	const at = { workspace, person: { address, role: 'developer', sessions_from: '' }, session, secret } as const;
	const pages = ids.map((id) => deliveriesPage(viewOf(at, clock.now(), { id }), { store, clock }));
	return (await Promise.all(pages)).map(({ markup }) => markup);
}

/** Everything that was printed, stored or sent. */
async function gather(): Promise<Gathered> {
	const inbox = await fromConsole(stack, '/inbox/demo');
	const phones = await fromConsole(stack, '/phones');
	return {
		printed: stack.printed(),
		answers: answers.join('\n'),
		'webhooks received': JSON.stringify(inbox),
		'phone log': JSON.stringify(phones),
		traces: await tracesShown(),
		'events and deliveries': await eventsShown(),
		'table scanned': await tableContents(join(directory, 'state')),
		'table traffic': taps.table.heard(),
		'queue traffic': taps.queues.heard(),
		...filesBelow(directory, 'file'),
	};
}

describe('after all these calls, the logs, the table and the messages', () => {
	let gathered: Gathered;
	beforeAll(async () => {
		await everythingElse();
		await endpointsComeAndGo();
		await anotherKey();
		await eventually('all is delivered', async () => {
			const { json } = await ask('/webhook-deliveries?status=pending&limit=100', { headers: bearer() });
			return json.data.length === 0 ? true : null;
		});
		gathered = await gather();
		const legs = [...(gathered['table scanned'] ?? '').matchAll(/"provider_id":\{"S":"([^"]+)"/g)];
		const where = [/^table /, /phone-network\.json/, /table\.db/];
		canaries.push(...legs.map(([, id = '']) => secret('provider id', id, where)));
		// The visitor's name may be in the message to the team and in what the simulated phones heard.
		const heard = [/^phone log$/, /phone-network\.json$/, /phones\.jsonl$/];
		const named = [/^table /, /table\.db/, /^answers$/, /\/mail\.jsonl$/, ...heard];
		canaries.push(secret('name', NAME, named));
		const network = readFileSync(join(directory, 'state', 'phone-network.secret'), 'utf8');
		// Operator commands send requests to the provider, so the operator's file contains the secret of the simulated provider.
		// Only the owner of the state directory can read this file.
		canaries.push(secret('secret of the phone network', network, [/phone-network\.secret$/, /\/operator\.json$/]));
	});

	it('are all available to this test', () => {
		expect(Object.keys(gathered)).toEqual(
			expect.arrayContaining([
				'file/state/logs/request-call.log',
				'file/state/logs/dial-leg.log',
				'file/state/phone-network.json',
				'file/state/phones.jsonl',
				'file/state/inbox.jsonl',
			]),
		);
		expect(gathered['table scanned']).toContain('+1********01');
		expect(gathered['table traffic']).toContain('TransactItems');
		expect(gathered['queue traffic']).toContain('leg_id');
		expect(gathered['webhooks received']).toContain('call.failed');
		expect(gathered['file/state/inbox.jsonl']?.includes(HEADER_VALUE)).toBe(true);
		expect(gathered['events and deliveries']).toMatch(/"event": ?"callback.requested"[\s\S]*service-attempt: 1/);
		expect(canaries.filter(({ what }) => what === 'provider id').length).toBeGreaterThan(endings.length);
	});

	it('contain no number of a visitor or of the team, no key, no secret, and provider ids only in call records', () => {
		expect(leaks(gathered, canaries)).toEqual([]);
	});

	const unkeyedHash = createHash('sha256').update(number('05')).digest('hex');
	it.each([
		['a log line', 'file/state/logs/dial-leg.log', `{"level":"INFO","to":"${number('01')}"}`, '01'],
		['a number as people write it', 'printed', `calling (${AREA}) 555-0102`, '02'],
		['a number in an encoded URL', 'answers', `/thanks?tel=%2B1%20${AREA}%20555%200103`, '03'],
		['a number in base64', 'queue traffic', Buffer.from(`{"to":"${number('04')}"}`).toString('base64'), '04'],
		['an unkeyed hash of a number', 'table scanned', `"body_hash":{"S":"${unkeyedHash}"}`, '05'],
	])('are searched in a way that would find %s', (_what, place, planted, ending) => {
		const found = leaks({ [place]: `${gathered[place]}\n${planted}\n` }, canaries);
		expect(found).toContain(`${place}: ${number(ending)}`);
	});

	it('are searched in a way that would find a key, a secret and a provider id', () => {
		for (const { what, forms } of canaries.filter((canary) => !canary.what.startsWith('+'))) {
			expect(leaks({ 'file/state/logs/x.log': `{"error":"${forms[0]}"}` }, canaries)).toContain(
				`file/state/logs/x.log: ${what}`,
			);
		}
	});
});
