import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exportTraces } from '../../../ops/trace/export.ts';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import { derivedId } from '../../../shared/domain/kernel/id.ts';
import { attemptSpanId, traceIdOf } from '../../../shared/domain/kernel/trace-context.ts';
import { newDelivery } from '../../../shared/domain/webhooks/delivery-machine.ts';
import { EVENT_RETENTION_SECONDS, type EventKind, makeEvent } from '../../../shared/domain/webhooks/event.ts';
import type { RecordName, Records } from '../../../shared/ports/registry.ts';
import type { Store } from '../../../shared/ports/store.ts';
import { readCallTrace } from '../../../shared/use-cases/trace/read-trace.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { operatorAt } from '../../support/operator.ts';
import { idOf, samples, WORKSPACE } from '../../support/sample-records.ts';
import { type Behaviour, type Scripted, says, startScripted } from '../../support/scripted-server.ts';

// Tests `ops call trace` and `ops lead trace` with records in memory. test/api/traced-calls.test.ts traces real calls.

const START = Date.parse('2026-11-21T09:00:00.000Z');
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();
const CALL = derivedId(START, 'call');
const OTHER = idOf(8);

let store: Store;
let nowMs: number;
const directory = mkdtempSync(join(tmpdir(), 'trace-'));
afterAll(() => rmSync(directory, { recursive: true }));
beforeEach(async () => {
	store = memoryStore();
	nowMs = START + 60_000;
	await save('workspace', samples.workspace);
});

const save = <N extends RecordName>(record: N, item: Records[N]) =>
	store.commit([{ op: 'put', record, item, guard: { if: 'always' } } as never]);
const ops = (...args: readonly string[]) => operatorAt({ store, clock: { now: () => nowMs } }, null)(...args);

const leg = samples.call.legs[0];
if (leg === undefined) throw new Error('the sample has no leg');

/** A call that a member answered and the visitor did not. */
const call = (changes: Partial<CallRecord> = {}): CallRecord => ({
	...samples.call,
	id: CALL,
	number_hash: 'aGFzaA',
	status: 'failed',
	failure_reason: 'visitor_no_answer',
	created_at: at(0),
	completed_at: at(30),
	duration_seconds: 0,
	legs: [
		{
			...leg,
			id: derivedId(START, 'agent'),
			role: 'agent',
			member: 'm1',
			member_name: 'Ida Canary',
			dialed_at: at(1),
			ringing_at: at(2),
			answered_at: at(4),
			accepted_at: at(5),
			ended_at: at(30),
			cause: 'hung_up',
		},
		{
			...leg,
			id: derivedId(START, 'visitor'),
			dialed_at: at(6),
			ringing_at: at(7),
			ended_at: at(29),
			cause: 'no_answer',
		},
	],
	...changes,
});

/** An event of the call, delivered to an endpoint of this name after this many failures. */
async function delivered(kind: EventKind, second: number, endpoint: string, failures = 0): Promise<string> {
	const id = derivedId(START, kind);
	const about = { id, workspace_id: WORKSPACE, subject_id: CALL, kind, sequence: 1, created_at: at(second) };
	const event = makeEvent({ ...about, data: {} });
	await save('event', event);
	const delivery = newDelivery(event, { id: derivedId(0, endpoint) }, START);
	const attempt = { ...samples.delivery_attempt.attempt, response_status: 500, error: 'http_status' as const };
	for (let number = 1; number <= failures; number += 1) {
		const failed = {
			...attempt,
			number,
			started_at: at(second + 10 * number),
			timings: { ...attempt.timings, total_ms: 1500 },
		};
		await save('delivery_attempt', { ...samples.delivery_attempt, delivery_id: delivery.id, number, attempt: failed });
	}
	const number = failures + 1;
	const last_attempt = { ...attempt, number, started_at: at(second + 10 * number), response_status: 204, error: null };
	await save('delivery', { ...delivery, status: 'succeeded', attempt_count: number, last_attempt });
	return delivery.id;
}

const tree = async (...args: readonly string[]): Promise<readonly string[]> =>
	JSON.parse((await ops(...args)).out).tree;

describe('call trace', () => {
	it('shows each phone, event, delivery and attempt below its cause, with its start and its length', async () => {
		await save('call', call());
		await delivered('call.failed', 30, 'shop', 1);
		const lines = await tree('call', 'trace', '--call', CALL);
		expect(lines.map((line) => line.replace(/: .*/, ''))).toEqual([
			'   +0.000 s   30.000 s  call',
			'   +1.000 s   29.000 s    phone of a team member',
			'   +6.000 s   23.000 s    phone of the visitor',
			'  +30.000 s   20.002 s    call.failed',
			'  +30.000 s   20.002 s      delivery',
			'  +40.000 s    1.500 s        attempt 1',
			'  +50.000 s    0.002 s        attempt 2',
		]);
		expect(lines[1]).toContain('ringing +1.000 s, answered +3.000 s, accepted +4.000 s');
		expect(lines[2]).toContain('NO_ANSWER');
		expect(lines[5]).toMatch(/HTTP_STATUS.*waited_ms 10000, response.status_code 500/);
		expect(lines[6]).toContain('waited_ms 8500');
		expect(lines.join()).not.toMatch(/Ida|Canary|CA0|shop\.example/);
	});

	it('shows the deliveries to an endpoint that no longer exists, and none of another call that began at the same moment', async () => {
		await save('call', call());
		const id = await delivered('call.failed', 30, 'deleted');
		const other = makeEvent({ ...samples.event, id: derivedId(START, 'other'), created_at: at(30), data: {} });
		await save('delivery', newDelivery(other, { id: derivedId(0, 'deleted') }, START));
		const lines = await tree('call', 'trace', '--call', CALL);
		expect(lines.filter((line) => line.includes('delivery: '))).toEqual([expect.stringContaining(id)]);
	});

	it('of a call in progress shows its live spans', async () => {
		await save(
			'call',
			call({
				status: 'ringing',
				failure_reason: null,
				completed_at: null,
				legs: [{ ...leg, ended_at: null, cause: null }],
			}),
		);
		const [root, phone] = await tree('call', 'trace', '--call', CALL);
		expect([root, phone]).toEqual([expect.stringContaining('goes on'), expect.stringContaining('goes on')]);
	});

	it('shows the conversation, the missed-call mail and the call back', async () => {
		const back = derivedId(START + 1, 'back');
		await save('call', call({ failure_reason: 'no_agent_answer', connected_at: at(10) }));
		await save('call', call({ id: back, calls_back: CALL, created_at: at(100) }));
		const { lead_id: _, ...notice } = samples.team_notice as Records['team_notice'] & { readonly lead_id: string };
		const window = Math.floor(Date.parse(at(30)) / 600_000);
		const id = `missed#${WORKSPACE}#${window}#mail`;
		await save('team_notice', {
			...notice,
			id,
			status: 'sent',
			expires_at_epoch_s: START / 1000 + EVENT_RETENTION_SECONDS,
			missed: { call_ids: [CALL], more: 0 },
		} as never);
		await save('callback_link', { ...samples.callback_link, lead_id: CALL, of: 'call', call_id: back });
		const names = (await tree('call', 'trace', '--call', CALL)).map((line) => line.slice(23).split(':')[0]?.trim());
		expect(names).toEqual(expect.arrayContaining(['conversation', 'notice by mail', 'call back']));
		const traced = JSON.parse((await ops('call', 'trace', '--call', back)).out);
		expect(traced.trace_id).toBe(traceIdOf(back));
	});

	it.each([
		['was erased', call({ id: CALL }), /The visitor was erased/],
		[
			'is older than the events that are kept',
			call({ created_at: '2026-10-01T00:00:00.000Z' }),
			/more than 30 days ago are deleted/,
		],
	])('says what is missing in the trace of a call that %s', async (what, item, note) => {
		const { number_hash: _, ...erased } = item;
		await save('call', what === 'was erased' ? erased : item);
		const { out, code } = await ops('call', 'trace', '--call', CALL);
		expect([code, JSON.parse(out).notes]).toEqual([0, [expect.stringMatching(note)]]);
	});

	it.each([
		[['call', 'trace', '--call', idOf(9)], 'no call has this id'],
		[['lead', 'trace', '--lead', idOf(9)], 'no callback lead has this id'],
		[['call', 'trace', '--call', 'order 4711'], 'no call has this id'],
		[['call', 'trace', '--call', samples.callback_lead.id], 'this id is of a callback lead: use lead trace --lead'],
		[['lead', 'trace', '--lead', CALL], 'this id is of a call: use call trace --call'],
		[['call', 'trace', '--call', CALL, '--workspace', OTHER], 'this call belongs to another workspace'],
		[['lead', 'trace', '--lead', samples.callback_lead.id, '--workspace', OTHER], 'this callback lead belongs to'],
		[['call', 'trace', '--call', CALL, '--since', '1h'], 'It takes either --call, or'],
		[['call', 'trace'], 'It takes either --call, or --workspace with --since and --otlp.'],
		[['call', 'trace', '--workspace', WORKSPACE, '--since', '1h'], 'It takes either'],
		[['call', 'trace', '--workspace', idOf(9), '--since', '1h', '--otlp', 'x'], 'no workspace has this id'],
	])('refuses %j', async (args, said) => {
		await save('call', call());
		await save('callback_lead', samples.callback_lead);
		await save('workspace', { ...samples.workspace, id: OTHER });
		const { code, out, err } = await ops(...args);
		expect([code, out, err]).toEqual([1, '', expect.stringContaining(said)]);
	});
});

it('lead trace shows all ten calls back', async () => {
	const lead = samples.callback_lead;
	const calls = Array.from({ length: 10 }, (_, n) => derivedId(START + n, 'back'));
	await save('callback_lead', lead);
	for (const id of calls) await save('call', call({ id, lead_id: lead.id }));
	const [call_id = '', ...former] = calls.toReversed();
	const link = { ...samples.callback_link, lead_id: lead.id, call_id, former_call_ids: former.toReversed() };
	await save('callback_link', link);
	const lines = await tree('lead', 'trace', '--lead', lead.id);
	expect(calls.map((id) => lines.some((line) => line.includes(`call back: VISITOR_NO_ANSWER, id ${id}`)))).toEqual(
		calls.map(() => true),
	);
});

describe('--otlp', () => {
	const spansIn = (body: string) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans;

	it('writes a call as one trace that has the parent of each span, and an attempt with the span id that its receiver got', async () => {
		await save('call', call());
		const delivery = await delivered('call.failed', 30, 'shop', 1);
		const file = join(directory, 'one.jsonl');
		const { code } = await ops('call', 'trace', '--call', CALL, '--otlp', file);
		const spans = spansIn(readFileSync(file, 'utf8'));
		const ids = spans.map(({ spanId }: { spanId: string }) => spanId);
		const traces = new Set(spans.map(({ traceId }: { traceId: string }) => traceId));
		const orphans = spans.slice(1).filter(({ parentSpanId }: { parentSpanId: string }) => !ids.includes(parentSpanId));
		expect([code, [...traces], spans[0].parentSpanId, orphans]).toEqual([0, [traceIdOf(CALL)], '', []]);
		expect(ids).toContain(attemptSpanId(delivery, 2));
	});

	it('writes all calls and leads of a workspace since a time, 50 in each request', async () => {
		for (let n = 0; n < 60; n += 1) await save('call', call({ id: derivedId(START + n, 'many') }));
		await save('call', call({ id: derivedId(START - 7_200_000, 'before') }));
		await save('callback_lead', { ...samples.callback_lead, id: derivedId(START, 'lead') });
		const file = join(directory, 'many.jsonl');
		const { out } = await ops('call', 'trace', '--workspace', WORKSPACE, '--since', '1h', '--otlp', file);
		expect(JSON.parse(out)).toMatchObject({ traces_written: 61, since: '2026-11-21T08:01:00.000Z' });
		const roots = readFileSync(file, 'utf8')
			.trimEnd()
			.split('\n')
			.map((line) => spansIn(line).filter((span: { parentSpanId: string }) => span.parentSpanId === '').length);
		expect(roots).toEqual([50, 11]);
	});

	const collectors: Scripted[] = [];
	const collectorThat = async (behaviour: Behaviour) => {
		const collector = await startScripted(behaviour);
		collectors.push(collector);
		return collector;
	};
	afterEach(async () => {
		delete process.env['OTEL_EXPORTER_OTLP_HEADERS'];
		for (const each of collectors.splice(0)) await each.stop();
	});
	const sendTo = (url: string) => ops('call', 'trace', '--call', CALL, '--otlp', url);

	it.each([
		['refuses', says(400, 'bad\nrequest'), /answered 400: bad request/],
		['drops spans', says(200, '{"partialSuccess":{"rejectedSpans":"2"}}'), /did not take everything/],
		['is busy', says(503, '', { 'retry-after': '30' }), /answered 503/],
		['has moved', says(301, '', { location: '/v2/traces' }), /answered 301: it has moved to \/v2\/traces/],
		['sends a page', says(200, '<!doctype html>', { 'content-type': 'text/html' }), /answered with a page: it is no/],
	])('reports a collector that %s, and exits with 1', async (_what, behaviour, said) => {
		await save('call', call());
		const { code, out, err } = await sendTo((await collectorThat(behaviour)).url);
		expect([code, out, err]).toEqual([1, '', expect.stringMatching(said)]);
	});

	it.each([
		[{}, says(200, '')],
		[{}, says(202, 'OK', { 'content-type': 'text/plain' })],
		[{ OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b, x-other=c=d' }, says(200, '{}')],
	])('accepts %j, a collector’s short answer, as a success', async (headers, behaviour) => {
		await save('call', call());
		const collector = await collectorThat(behaviour);
		Object.assign(process.env, headers);
		expect(await sendTo(collector.url.toUpperCase())).toMatchObject({ code: 0 });
		if ('OTEL_EXPORTER_OTLP_HEADERS' in headers)
			expect(collector.asked[0]?.headers).toMatchObject({ 'x-team': 'a b', 'x-other': 'c=d' });
	});

	it.each(['x-key=%zz', 'x key=hidden', 'x-key=hid%0Aden', 'hidden'])(
		'refuses the headers %s, and does not show them',
		async (headers) => {
			await save('call', call());
			process.env['OTEL_EXPORTER_OTLP_HEADERS'] = headers;
			const { code, err } = await sendTo('http://127.0.0.1:1');
			expect([code, err]).toEqual([
				1,
				'OTEL_EXPORTER_OTLP_HEADERS takes name=value,name=value, with values percent-encoded',
			]);
		},
	);

	it('shows no password in an address, and says where the password belongs', async () => {
		await save('call', call());
		const { code, err } = await sendTo('https://user:hidden@collector.example');
		expect([code, err]).toEqual([
			1,
			'Put user and password into OTEL_EXPORTER_OTLP_HEADERS, not into the collector’s address',
		]);
	});

	it('reports a file that cannot be written', async () => {
		await save('call', call());
		const { code, err } = await sendTo(join(directory, 'none', 'x.jsonl'));
		expect([code, err]).toEqual([1, expect.stringMatching(/x\.jsonl cannot be written: .*ENOENT/)]);
	});

	it('reports a collector that is down, and an address that is not valid', async () => {
		await save('call', call());
		const collector = await startScripted(says(200, ''));
		await collector.stop();
		expect((await sendTo(collector.url)).err).toMatch(/did not answer: .*ECONNREFUSED/);
		expect((await sendTo('https://')).err).toBe('https:// is no address of a collector');
	});

	it('gives up on a collector that does not answer, and says how much was accepted before', async () => {
		await save('call', call());
		const trace = await readCallTrace(CALL, { store, clock: { now: () => nowMs } });
		const collector = await collectorThat((response) => {
			if (collector.asked.length === 1) response.end('{}');
		});
		const traces = Array.from({ length: 51 }, () => trace).filter((each) => each !== null);
		const exported = exportTraces(traces, collector.url, { now: at(60), timeout_ms: 200 });
		await expect(exported).rejects.toThrow(/nothing within 0.2 seconds.*50 traces were written before\. Repeat/s);
		const request = { line: 'POST /v1/traces', headers: { 'content-type': 'application/json' } };
		expect(collector.asked[0]).toMatchObject(request);
	});
});
