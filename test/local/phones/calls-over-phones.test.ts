import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PhoneNetwork, startPhoneNetwork } from '../../../local/phone-network/start.ts';
import { systemClock as clock, ulidIds } from '../../../shared/adapters/system.ts';
import { simulatorTelephony } from '../../../shared/adapters/telephony/simulator/simulator.ts';
import type { Call } from '../../../shared/domain/calls/call.ts';
import { newCallRecord } from '../../../shared/domain/calls/call-record.ts';
import { instructionFor } from '../../../shared/domain/calls/instruction.ts';
import { newWorkspace } from '../../../shared/domain/workspaces/new-workspace.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import type { Queues } from '../../../shared/ports/queues.ts';
import type { Telephony } from '../../../shared/ports/telephony.ts';
import { applyLegFact, sendWhatFollows } from '../../../shared/use-cases/calls/advance-call.ts';
import { checkDeadlines } from '../../../shared/use-cases/calls/check-deadlines.ts';
import { dialLeg } from '../../../shared/use-cases/calls/dial-leg.ts';
import { hangUpLeg } from '../../../shared/use-cases/calls/hang-up-leg.ts';
import { sealedNumber, teamOf } from '../../support/calls/sealed-number.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { memoryStore } from '../../support/memory-store.ts';

// The product's own decisions on the simulated network: the table of endings in docs/telephony.md, seen from a call.

const SPEED = 20;
const SECRET = 'a secret of the test network';
const visitorEnding = (digits: string) => `+121255501${digits}`;
const memberEnding = (digits: string, member = 0) => `+1${415 + member}55501${digits}`;

let phones: PhoneNetwork;
let telephony: Telephony;
let stop: () => void;
const store = memoryStore();
const timers = new Set<NodeJS.Timeout>();

/** Messages arrive on time and once; if a worker throws, it gets the message again. */
const queues: Queues = {
	async send(queue, messages) {
		for (const { message, delay_seconds } of messages) {
			const run = (): void => void work(queue, { at: null, ...message }).catch(() => after(100, run));
			after(delay_seconds * 1000, run);
		}
		return { sent: messages.length, failed: 0 };
	},
};
function after(ms: number, run: () => void): void {
	const timer = setTimeout(() => {
		timers.delete(timer);
		run();
	}, ms);
	timers.add(timer);
}
const opener = { openNumber: async (sealed: string) => sealed };
const deps = () => ({ store, queues, clock, ids: ulidIds, speed: SPEED, telephony, opener, log: memoryLog().log });

type Message = { call_id?: string; leg_id?: string; at: string | null };
async function work(queue: string, message: Message): Promise<void> {
	const { call_id = '', leg_id = '' } = message;
	if (queue === 'dial-legs') await dialLeg({ call_id, leg_id }, deps());
	if (queue === 'hang-up-legs') await hangUpLeg({ call_id, leg_id }, deps());
	if (queue === 'call-timers') await checkDeadlines({ ...message, call_id }, deps());
}

async function answer(request: IncomingMessage): Promise<{ status: number; body?: string }> {
	let raw_body = '';
	for await (const chunk of request) raw_body += String(chunk);
	const path = (request.url ?? '').slice('/v1'.length);
	const [, , call_id = '', address = '', route = ''] = path.split('/');
	const [leg_id = '', leg_mac = ''] = address.split('.');
	const headers = request.headers as Record<string, string>;
	const received = await telephony.receive({ call_id, leg_id, leg_mac, path, headers, raw_body });
	if (received.received === 'forged') return { status: 403 };
	if (received.received === 'fact') await applyLegFact({ call_id, leg_id }, received.fact, deps());
	const call = await store.get('call', { id: call_id });
	const instruction = call === null ? null : instructionFor(call, leg_id);
	if (instruction === null) return { status: 404 };
	if (route === 'status') return { status: 204 };
	return { status: 200, body: telephony.render(instruction, { call_id, path }).body };
}

beforeAll(async () => {
	phones = await startPhoneNetwork({ speed: SPEED, secret: SECRET, state_file: null, log_file: null });
	const server = createServer((request, response) => {
		void answer(request).then(({ status, body }) => response.writeHead(status).end(body));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as { port: number };
	const public_base_url = `http://127.0.0.1:${port}/v1`;
	telephony = simulatorTelephony({ url: phones.url, secret: SECRET, public_base_url, clock });
	stop = () => {
		server.closeAllConnections();
		server.close();
	};
});
afterAll(async () => {
	for (const timer of timers) clearTimeout(timer);
	await phones.close();
	stop();
});

type Rules = Partial<Pick<Workspace, 'ring_order' | 'ring_strategy'>>;

/** Places a call and resolves with it when it has ended. */
async function called(visitor: string, team: readonly string[], rules: Rules = {}): Promise<Call> {
	const identity = {
		id: ulidIds.next(),
		name: 'Test',
		region: 'US',
		time_zone: 'America/New_York',
		workspace_key: 'wk',
	};
	const workspace: Workspace = {
		...newWorkspace({ ...identity, created_at: new Date(clock.now()).toISOString() }),
		team: teamOf(team.length),
		ring_strategy: 'sequential',
		...rules,
	};
	const id = ulidIds.next();
	const asked = {
		id,
		workspace,
		visitor_phone_masked: '+1********01',
		visitor_name: 'Ada',
		source_url: 'https://a.b/',
	};
	const created = newCallRecord(asked, { now_ms: clock.now(), speed: SPEED });
	await store.commit([
		{ op: 'put', record: 'call', item: created.call, guard: { if: 'absent' } },
		sealedNumber(`call#${id}`, visitor),
		{ op: 'put', record: 'workspace', item: workspace, guard: { if: 'absent' } },
		...team.map((number, nth) => sealedNumber(`team#${workspace.id}#m${nth + 1}`, number)),
	]);
	await sendWhatFollows(created, { writes: [], messages: [] }, deps());
	for (;;) {
		const call = await store.get('call', { id });
		if (call?.completed_at) return call;
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}
const endOf = ({ status, failure_reason }: Call) => failure_reason ?? status;

describe('a call over the simulated network', () => {
	const member = [memberEnding('01')];
	async function endings(expected: object, place: (digits: string) => ReturnType<typeof called>) {
		const outcomes = Object.keys(expected).map(async (digits) => [digits, endOf(await place(digits))] as const);
		return Object.fromEntries(await Promise.all(outcomes));
	}

	it('ends as the last digits of the visitor’s number say, and rings no phone twice', async () => {
		const expected = {
			'01': 'completed',
			'02': 'visitor_busy',
			'04': 'visitor_rejected',
			'05': 'voicemail',
			'06': 'number_unreachable',
			'07': 'completed',
			'08': 'completed',
			'15': 'provider_rejected',
			'17': 'completed',
		};
		expect(await endings(expected, (digits) => called(visitorEnding(digits), member))).toEqual(expected);
		expect(phones.dials().filter(({ times }) => times !== 1)).toEqual([]);
	});

	it('ends as the last digits of the team member’s number say', async () => {
		const expected = {
			'02': 'no_agent_answer',
			'04': 'no_agent_answer',
			'05': 'no_agent_answer',
			'06': 'no_agent_answer',
			'11': 'completed',
			'12': 'agent_left',
			'13': 'no_agent_answer',
			'15': 'provider_rejected',
		};
		expect(await endings(expected, (digits) => called(visitorEnding('01'), [memberEnding(digits)]))).toEqual(expected);
	});

	it('goes on to the next member, or connects the first member who presses 1', async () => {
		const [sequential, simultaneous] = await Promise.all([
			called(visitorEnding('01'), [memberEnding('04'), memberEnding('01', 1)]),
			called(visitorEnding('01'), [memberEnding('03'), memberEnding('01', 1)], { ring_strategy: 'simultaneous' }),
		]);
		expect([endOf(sequential), endOf(simultaneous)]).toEqual(['completed', 'completed']);
	});

	it('can ring the visitor first', async () => {
		const visitorFirst = { ring_order: 'visitor_first' } as const;
		const [talked, left, none] = await Promise.all([
			called(visitorEnding('01'), member, visitorFirst),
			called(visitorEnding('17'), member, visitorFirst),
			called(visitorEnding('04'), member, visitorFirst),
		]);
		expect([endOf(talked), endOf(none)]).toEqual(['completed', 'visitor_rejected']);
		expect(left.status).toBe('failed');
		expect(none.legs.map(({ role }) => role)).toEqual(['visitor']);
	});
});
