import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type SavedQuery, savedQueries } from '../../infra/log-queries.ts';
import { localCertificates } from '../../local/certificates.ts';
import type { Stack } from '../../local/stack.ts';
import type { OpsDeps } from '../../ops/connect.ts';
import { logFields } from '../../shared/ports/log-redaction.ts';
import { changePeople } from '../../shared/use-cases/desk/people.ts';
import { type Row, runQuery } from '../support/logs-insights.ts';
import { operatorAt } from '../support/operator.ts';
import { call, eventually, visitorBody } from '../support/stack/api.ts';
import { testStack } from '../support/stack/stack.ts';
import {
	bearer,
	type Customer,
	newCustomer,
	newCustomerWith,
	newKey,
	operatorOf,
} from '../support/webhooks/customers.ts';
import { tlsReceiver } from '../support/webhooks/receiver.ts';

// Each test takes a sentence from "What customers say" in the runbook. It causes the fault behind the sentence, runs the
// commands that the runbook gives, and runs the saved query on the log. Each command and query has to show the cause.

let stack: Stack;
let ops: OpsDeps;
let directory: string;
let receiver: Awaited<ReturnType<typeof tlsReceiver>>;
type Answer = { readonly status: number; readonly after_ms?: number };
/**
 * For each path of the receiver: its responses to the attempts of an event, in their order. If there are more attempts than
 * responses, the last response is repeated.
 */
const answers = new Map<string, readonly Answer[]>();
/** A port that refuses connections. */
const CLOSED = 'localhost:9';

beforeAll(async () => {
	directory = mkdtempSync(join(tmpdir(), 'call-back-sentences-'));
	const { key_pem, cert_pem, ca_file } = await localCertificates(directory);
	const seen = new Map<string, number>();
	receiver = await tlsReceiver({ key: key_pem, cert: cert_pem }, (socket, { head, body }) => {
		const [, path = ''] = head.split(' ');
		const about = `${path} ${/"id":"(\w+)"/.exec(body)?.[1]}`;
		const nth = seen.get(about) ?? 0;
		seen.set(about, nth + 1);
		const all = answers.get(path) ?? [{ status: 204 }];
		const { status, after_ms = 0 } = all[Math.min(nth, all.length - 1)] ?? { status: 204 };
		setTimeout(() => socket.write(`HTTP/1.1 ${status} Said\r\ncontent-length: 0\r\n\r\n`), after_ms);
	});
	stack = await testStack({ allow_webhook_hosts: [`localhost:${receiver.port}`, CLOSED], trust: ca_file });
	ops = await operatorOf(stack);
});
afterAll(async () => {
	await stack.stop();
	await receiver.stop();
	rmSync(directory, { recursive: true, force: true });
});

/** The sentences of the runbook with their commands. */
const page = readFileSync('docs/runbook.md', 'utf8');
const [, said = ''] = /^## What customers say$([\s\S]+?)^## /m.exec(page) ?? [];
const sentences = new Map(
	said
		.split(/^### /m)
		.slice(1)
		.map((section) => {
			const [, sentence = ''] = /^"(.+)"$/m.exec(section) ?? [];
			const commands = [...section.matchAll(/^npm run --silent ops -- (.+) --outputs deployment\.json$/gm)];
			return [sentence, { section, commands: commands.map(([, command = '']) => command) }] as const;
		}),
);

/** The runbook's commands and queries contain placeholders in capitals. Maps each placeholder to its value for one fault. */
type Planted = Readonly<Record<string, string>>;
const filledIn = (text: string, planted: Planted): string =>
	Object.entries(planted).reduce((filled, [word, value]) => filled.replaceAll(word, value), text);

/** Runs the commands that the runbook lists for a customer's sentence, from first to last. Returns their outputs. */
async function typeCommands(sentence: string, planted: Planted): Promise<readonly string[]> {
	const shell = operatorAt(ops);
	const outputs: string[] = [];
	for (const command of sentences.get(sentence)?.commands ?? []) {
		const { code, out, err } = await shell(...filledIn(command, planted).split(' '));
		expect([command, code, err]).toEqual([command, 0, err]);
		outputs.push(out);
	}
	return outputs;
}

/** Runs a saved query on the lines of the logs that the query names. */
function queried(name: SavedQuery, planted: Planted = {}): readonly Row[] {
	const { sources, text } = savedQueries[name];
	const folder = join(stack.state_dir, 'logs');
	const present = new Set(readdirSync(folder));
	const lines = sources
		.filter((source) => present.has(`${source}.log`))
		.flatMap((source) => readFileSync(join(folder, `${source}.log`), 'utf8').split('\n'))
		.filter((line) => line.startsWith('{'));
	return runQuery(filledIn(text, planted), ['timestamp', 'level', 'fact', ...Object.keys(logFields)], lines);
}
const shows = (name: SavedQuery, planted: Planted, row: Row) =>
	eventually(`the log has what ${name} looks for`, async () => {
		const found = queried(name, planted);
		return found.some((each) => Object.entries(row).every(([field, value]) => each[field] === value)) ? found : null;
	});

async function visit(shop: Customer, path: string, changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
	const { json } = await call(stack.base_url, `/widget/${path}`, {
		body: visitorBody(shop, changes),
		headers: { origin: shop.allowed_origin },
	});
	return json.data?.id ?? json.code;
}
const requestCall = (shop: Customer, phone: string, more = {}) => visit(shop, 'call-requests', { phone, ...more });

/** Waits until the call has ended, and returns it. */
const ended = (id: string) =>
	eventually('the call has ended', async () => {
		const record = await ops.store.get('call', { id });
		return record !== null && record.completed_at !== null && record.due_at === null ? record : null;
	});

/**
 * Creates a shop with an endpoint for `call.failed`, and a call that ends because the visitor's number is not in service. Waits
 * until the delivery has ended. `saidByReceiver` contains the receiver's responses. With `down`, nothing listens at the URL of
 * the endpoint.
 */
async function subscriber(...saidByReceiver: readonly (Answer | 'down')[]) {
	const shop = await newCustomer(ops);
	const path = `/${shop.workspace_id}`;
	const isDown = saidByReceiver.includes('down');
	answers.set(
		path,
		saidByReceiver.filter((answer) => answer !== 'down'),
	);
	const body = { url: `https://${isDown ? CLOSED : `localhost:${receiver.port}`}${path}`, events: ['call.failed'] };
	const made = await call(stack.base_url, '/webhook-endpoints', { body, headers: bearer(shop.api_key) });
	const callId = await requestCall(shop, '+12025550106');
	await ended(callId);
	const delivery = await eventually('the deliveries have ended', async () => {
		const { json } = await call(stack.base_url, '/webhook-deliveries', { headers: bearer(shop.api_key) });
		return json.data.length === 1 && json.data[0].status !== 'pending' ? json.data[0] : null;
	});
	return {
		WORKSPACE_ID: shop.workspace_id,
		ENDPOINT_ID: made.json.data.id as string,
		CALL_ID: callId,
		DELIVERY_ID: delivery.id as string,
	};
}

/** Creates a shop with this team, and requests a call for a visitor with this number. */
async function callOf(team: string, visitor: string, more = {}) {
	const shop = await newCustomer(ops);
	const set = ['workspace', 'set', '--workspace', shop.workspace_id, '--team', team];
	expect(await operatorAt(ops)(...set)).toMatchObject({ code: 0 });
	const CALL_ID = await requestCall(shop, visitor, more);
	await ended(CALL_ID);
	return { WORKSPACE_ID: shop.workspace_id, CALL_ID };
}

describe('the operator finds the cause from a customer’s sentence:', () => {
	it('Order 4711 was never called.', async () => {
		const planted = await callOf('Ida:+13125550101', '+12025550102', { reference: '4711' });
		const [list = '', trace = ''] = await typeCommands('Order 4711 was never called.', planted);
		expect(JSON.parse(list).map(({ id }: { id: string }) => id)).toEqual([planted.CALL_ID]);
		expect(trace).toMatch(/phone of the visitor: BUSY/);
		const rows = await shows('a-call', planted, { fact: 'callback', role: 'visitor', outcome: 'applied' });
		expect(rows.map(({ fact }) => fact)).toEqual(expect.arrayContaining(['response', 'dial', 'callback']));
		expect(rows.some(({ detail }) => String(detail).includes('cause=busy'))).toBe(true);
		expect(rows.map((row) => String(row['@timestamp']))).toEqual(
			rows.map((row) => String(row['@timestamp'])).toSorted(),
		);
	});

	it('The button says that no call is possible.', async () => {
		const shop = await newCustomerWith(ops, { calls_enabled: false });
		expect(await requestCall(shop, '+12025550121')).toBe('calls_unavailable');
		const limited = await newCustomer(ops, { requests_per_address_per_window: 1 });
		await visit(limited, 'callback-leads', { phone: '+12025550122' });
		expect(await visit(limited, 'callback-leads', { phone: '+12025550123' })).toBe('rate_limited');
		const planted = { WORKSPACE_ID: shop.workspace_id };
		const [shown = ''] = await typeCommands('The button says that no call is possible.', planted);
		expect(JSON.parse(shown)).toMatchObject({ calls_enabled: false });
		const row = { workspace_id: shop.workspace_id, code: 'calls_unavailable', reason: 'switched_off', times: 1 };
		await shows('refused-visitors', {}, row);
		await shows('refused-visitors', {}, { workspace_id: limited.workspace_id, reason: 'address_or_number', times: 1 });
	});

	it('You never called our team.', async () => {
		const planted = await callOf('Ida:+13125550115', '+12025550124');
		const [trace = ''] = await typeCommands('You never called our team.', planted);
		expect(trace).toMatch(/phone of a team member: PROVIDER_REJECTED.*refused_code /);
		const row = { workspace_id: planted.WORKSPACE_ID, role: 'agent', outcome: 'rejected' };
		const rows = await shows('refused-dials', planted, { ...row, last_call_id: planted.CALL_ID });
		expect(rows.find((each) => each['last_call_id'] === planted.CALL_ID)).toHaveProperty('code');
	});

	it('We pressed 1, and then no one was there.', async () => {
		const planted = await callOf('Ida:+13125550101', '+12025550103');
		const [trace = ''] = await typeCommands('We pressed 1, and then no one was there.', planted);
		expect(trace).toMatch(/phone of the visitor: NO_ANSWER/);
		expect(trace).toMatch(/phone of a team member: .*accepted \+/);
	});

	it('The call was cut off.', async () => {
		const planted = await callOf('Ida:+13125550111', '+12025550110');
		const [trace = ''] = await typeCommands('The call was cut off.', planted);
		expect(trace).toMatch(/phone of a team member: .*cause completed/);
		expect(trace).toMatch(/hang-up requested|cause hung_up/);
		expect(await shows('a-call', planted, { fact: 'callback', call_status: 'completed' })).not.toEqual([]);
	});

	it('The phone rings much too late.', async () => {
		const planted = await callOf('Ida:+13125550114', '+12025550125');
		const [trace = ''] = await typeCommands('The phone rings much too late.', planted);
		expect(trace).toMatch(/\+\d+\.\d{3} s .* phone of a team member/);
		const { WORKSPACE_ID: workspace_id } = planted;
		const rows = await shows('slow-dials', planted, { workspace_id, role: 'agent', dials: 1 });
		const row = rows.find((each) => each['workspace_id'] === workspace_id && each['role'] === 'agent');
		expect(Number(row?.['waited_most'])).toBeGreaterThan(900);
		await shows('refused-dials', planted, { workspace_id, outcome: 'throttled', times: 1 });
	});

	it('Your webhook never came.', async () => {
		const planted = await subscriber({ status: 500 });
		const { WORKSPACE_ID: workspace_id, ENDPOINT_ID: endpoint_id, DELIVERY_ID: last_delivery_id } = planted;
		const sentence = 'Your webhook never came.';
		const [list = '', status = '', trace = '', dry_run = ''] = await typeCommands(sentence, planted);
		expect(list).toContain(endpoint_id);
		expect(JSON.parse(status)).toMatchObject({ last_attempt: { response_status: 500 } });
		expect(dry_run).toMatch(/1/);
		expect(trace).toMatch(/delivery: FAILED[\s\S]*attempt 3: HTTP_STATUS.*status_code 500/);
		await shows('failing-endpoints', planted, { workspace_id, endpoint_id, last_delivery_id, status: 500 });
		const attempts = await shows('a-delivery', planted, { outcome: 'exhausted', status: 500 });
		expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
	});

	it('Your webhook came twice.', async () => {
		const planted = await subscriber({ status: 500 }, { status: 204 });
		const [list = '', trace = ''] = await typeCommands('Your webhook came twice.', planted);
		const event = JSON.parse(list).find(({ event: kind }: { event: string }) => kind === 'call.failed');
		expect(trace).toMatch(/attempt 1: HTTP_STATUS/);
		expect(trace).toMatch(/attempt 2: .*status_code 204/);
		const row = { event_id: event.id, attempts: 2, first_outcome: 'retry', first_code: 'http_status' };
		await shows('webhooks-sent-twice', planted, row);
	});

	it('Your webhooks come late.', async () => {
		const planted = await subscriber({ status: 204, after_ms: 700 });
		const [status = '', trace = ''] = await typeCommands('Your webhooks come late.', planted);
		expect(JSON.parse(status)).toMatchObject({ status: 'enabled' });
		expect(Number(/attempt 1: .*first_byte_ms (\d+)/.exec(trace)?.[1])).toBeGreaterThanOrEqual(690);
		const rows = await shows('slow-endpoints', planted, { endpoint_id: planted.ENDPOINT_ID, attempts: 1 });
		const row = rows.find((each) => each['endpoint_id'] === planted.ENDPOINT_ID);
		expect(Number(row?.['first_byte'])).toBeGreaterThanOrEqual(690);
		expect(Number(row?.['longest'])).toBeGreaterThanOrEqual(Number(row?.['first_byte']));
	});

	it('A visitor left a number, and we got no message.', async () => {
		const shop = await newCustomerWith(ops, { team_email: 'bounce@team.example' });
		const noticed = (leadId: string) =>
			eventually('the notice has ended', async () => {
				const notices = await operatorAt(ops)('lead', 'trace', '--lead', leadId);
				return /notice by mail.*status (sent|failed)/.test(notices.out) ? notices.out : null;
			});
		await noticed(await visit(shop, 'callback-leads', { phone: '+12025550126' }));
		const LEAD_ID = await visit(shop, 'callback-leads', { phone: '+12025550127' });
		await noticed(LEAD_ID);
		const planted = { WORKSPACE_ID: shop.workspace_id, LEAD_ID };
		const [list = '', trace = ''] = await typeCommands('A visitor left a number, and we got no message.', planted);
		expect(list).toContain(LEAD_ID);
		expect(trace).toMatch(/notice by mail: FAILED/);
		const row = { fact: 'notice', lead_id: LEAD_ID, outcome: 'failed', code: 'address_bounced', channel: 'mail' };
		await shows('messages-to-a-team', planted, row);
	});

	it('Your API refuses our requests.', async () => {
		const shop = await newCustomer(ops);
		const { key, secret } = await newKey(ops, shop.workspace_id, ['calls:read']);
		const { status } = await call(stack.base_url, '/webhook-endpoints', { headers: bearer(secret) });
		expect(status).toBe(403);
		const planted = { WORKSPACE_ID: shop.workspace_id };
		const [list = ''] = await typeCommands('Your API refuses our requests.', planted);
		expect(list).toContain(key.id);
		const of = { workspace_id: shop.workspace_id, api_key_id: key.id, operation: 'list-webhook-endpoints' };
		await shows('refused-requests', planted, { ...of, status: 403, code: 'insufficient_permission', times: 1 });
	});

	it('Our owner gets no link to the desk.', async () => {
		const shop = await newCustomer(ops);
		await changePeople(shop.workspace_id, { change: 'invite', address: 'owner@shop.example', role: 'owner' }, ops);
		const planted = { WORKSPACE_ID: shop.workspace_id };
		const [list = '', link = ''] = await typeCommands('Our owner gets no link to the desk.', planted);
		expect(list).toContain('owner@shop.example');
		expect(link).toMatch(/\/desk\/links\//);
		await shows('messages-to-a-team', planted, { fact: 'desk link', outcome: 'sent' });
	});
});

/** The trace of a call, as an operator reads it. */
const traced = async ({ CALL_ID }: { readonly CALL_ID: string }) =>
	(await operatorAt(ops)('call', 'trace', '--call', CALL_ID)).out;

describe('the trace and one query also find the cause of other faults:', () => {
	it('the receiver redirects', async () => {
		const planted = await subscriber({ status: 302 });
		expect(await traced(planted)).toMatch(/attempt 1: .*status_code 302/);
		await shows('failing-endpoints', {}, { endpoint_id: planted.ENDPOINT_ID, status: 302 });
	});

	it('the receiver is down', async () => {
		const planted = await subscriber('down');
		expect(await traced(planted)).toMatch(/attempt 3: CONNECT_REFUSED/);
		await shows('failing-endpoints', {}, { endpoint_id: planted.ENDPOINT_ID, code: 'connect_refused' });
	});

	it('the receiver refuses the event for good', async () => {
		const planted = await subscriber({ status: 410 });
		expect(await traced(planted)).toMatch(/attempt 1: .*status_code 410/);
		await shows('a-delivery', planted, { attempt: 1, outcome: 'gone', status: 410 });
	});

	it('a mailbox answers the member’s phone', async () => {
		const planted = await callOf('Ida:+13125550105', '+12025550128');
		expect(await traced(planted)).toMatch(/NO_AGENT_ANSWER[\s\S]*phone of a team member: (?!.*accepted).*answered/);
		const rows = await shows('a-call', planted, { fact: 'callback', role: 'agent', call_status: 'failed' });
		expect(rows.filter(({ role }) => role === 'visitor')).toEqual([]);
	});

	it('the visitor’s number does not exist', async () => {
		const planted = await callOf('Ida:+13125550101', '+12025550106');
		expect(await traced(planted)).toMatch(/call: NUMBER_UNREACHABLE[\s\S]*phone of the visitor: UNREACHABLE/);
		const rows = await shows('a-call', planted, { fact: 'callback', role: 'visitor' });
		expect(rows.some(({ detail }) => String(detail).includes('unreachable'))).toBe(true);
	});
});

it('the runbook has twelve sentences of customers, each with commands that this test runs, and names each saved query', () => {
	const played = readFileSync(import.meta.filename, 'utf8');
	expect(sentences.size).toBe(12);
	for (const [sentence, { commands }] of sentences) {
		expect([sentence, commands.length > 0, played.includes(`it('${sentence}', async`)]).toEqual([sentence, true, true]);
	}
	expect(Object.keys(savedQueries).filter((name) => !said.includes(`\`${name}\``))).toEqual([]);
});

it('no query shows a number, a name, an address or a secret', () => {
	const everything = (Object.keys(savedQueries) as SavedQuery[])
		.map((name) => JSON.stringify(queried(name)))
		.join('\n');
	expect(everything).not.toMatch(/\+1\d|20255501|31255501|Ada|Ida|[a-z]{3}@|shop-\d+\.example|cbk_live_|localhost/);
	expect(everything.length).toBeGreaterThan(500);
});
