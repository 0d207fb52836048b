import { afterEach, describe, expect, it } from '@jest/globals';
import type { Queues } from '../../../shared/ports/queues.ts';
import type { Messages, QueueName } from '../../../shared/ports/registry.ts';
import { cancelCall } from '../../../shared/use-cases/calls/cancel-call.ts';
import { checkDeadlines } from '../../../shared/use-cases/calls/check-deadlines.ts';
import { dialLeg } from '../../../shared/use-cases/calls/dial-leg.ts';
import { hangUpLeg } from '../../../shared/use-cases/calls/hang-up-leg.ts';
import { applyLegFact } from '../../../shared/use-cases/calls/provider-report.ts';
import { sealedNumber, teamOf } from '../../support/calls/sealed-number.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { memoryStore } from '../../support/memory-store.ts';
import type { Account } from '../../support/phones/account-answers.ts';
import { type FinalStatus, phoneAccount, type Told } from '../../support/phones/phone-accounts.ts';
import { put } from '../../support/writes.ts';

// Tests calls through the real adapters, with accounts as an operator has them on the first day.

const START_MS = Date.parse('2026-11-21T09:00:00.400Z');
const VISITOR = '+12025550101';
const TEAM = ['+13125550101', '+13125550102'];
type Sent = { [Q in QueueName]: { readonly queue: Q; readonly message: Messages[Q] } }[QueueName];

const close: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const each of close.splice(0)) await each();
});

/** A visitor's call with this account. Messages stay in the queue until `workOff`. */
async function callAt(account: Account, endsAs?: FinalStatus) {
	const store = memoryStore();
	const desk = frontDesk(store, START_MS);
	const { now } = desk;
	const phones = await phoneAccount(account, () => now.ms, endsAs);
	close.push(phones.close);
	const sent: Sent[] = [];
	const delays: number[] = [];
	const queues: Queues = {
		async send(queue, messages) {
			for (const { message, delay_seconds } of messages) {
				sent.push({ queue, message } as Sent);
				if (queue === 'dial-legs') delays.push(delay_seconds);
			}
			return { sent: messages.length, failed: 0 };
		},
	};
	const { log, lines } = memoryLog();
	const opener = { openNumber: async (sealed: string) => sealed };
	const deps = { ...desk.deps, queues, telephony: phones.telephony, opener, log };
	const workspace = desk.workspace({}, { team: teamOf(TEAM.length) });
	const asked = await desk.requestCall(workspace, VISITOR);
	if (!('call' in asked)) throw new Error(asked.refused);
	const call_id = asked.call.id;
	const numbers = [
		[`call#${call_id}`, VISITOR],
		...TEAM.map((number, nth) => [`team#${workspace.id}#m${nth + 1}`, number]),
	];
	await store.commit([
		put('workspace', workspace),
		...numbers.map(([owner = '', sealed = '']) => sealedNumber(owner, sealed)),
	]);
	for (const { id: leg_id } of asked.call.legs) sent.push({ queue: 'dial-legs', message: { call_id, leg_id } });

	async function hear(...callbacks: readonly Told[]): Promise<void> {
		for (const { path, headers, raw_body } of callbacks) {
			const [, , , address = ''] = path.split('/');
			const [leg_id = '', leg_mac = ''] = address.split('.');
			const received = await phones.telephony.receive({ call_id, leg_id, leg_mac, path, headers, raw_body });
			if (received.received !== 'fact') throw new Error(received.received);
			await applyLegFact({ call_id, leg_id }, received.fact, deps);
		}
	}
	return {
		phones,
		hear,
		/** The delays of the messages to dial since the last call of this function. */
		delays: () => delays.splice(0),
		codes: () =>
			lines.filter(({ code }) => code !== undefined).map(({ fact, outcome, code }) => `${fact} ${outcome} ${code}`),
		call: () => store.get('call', { id: call_id }),
		requestAgain: () => desk.requestCall(workspace, VISITOR),
		cancel: () => cancelCall({ workspace_id: workspace.id, id: call_id }, deps),
		/** Advances the clock, does the due work, and handles messages until only delayed messages remain. */
		async workOff(seconds = 0): Promise<void> {
			now.ms += seconds * 1000;
			await checkDeadlines({ call_id, at: null }, deps);
			for (const { queue, message } of sent.splice(0)) {
				if (queue === 'dial-legs') await dialLeg(message, deps);
				if (queue === 'hang-up-legs') await hangUpLeg(message, deps);
			}
			await hear(...phones.reports());
		},
	};
}

describe('the first call', () => {
	it('at a Twilio trial account is refused, and the log and the call show the code', async () => {
		const { workOff, codes, call } = await callAt('twilio trial');
		await workOff();
		expect(codes()).toEqual(['dial rejected 10002', 'dial rejected 10002']);
		expect(await call()).toMatchObject({
			status: 'failed',
			failure_reason: 'provider_rejected',
			legs: [{ refused_code: '10002' }, { refused_code: '10002' }],
		});
	});

	it.each<[Account, string]>([
		['twilio new', 'dial throttled 10004'],
		['telnyx new', 'dial throttled 90043'],
	])(
		'at %s with two lines dials the visitor as soon as the second member’s line is free',
		async (account, throttled) => {
			const { workOff, hear, phones, codes, call } = await callAt(account);
			const [first = '', second = ''] = TEAM;
			await workOff();
			await hear(phones.rings(first), phones.rings(second), phones.answers(first), phones.presses(first));
			// The service dials the visitor before it has hung up the second member's phone, so no line is free.
			await workOff();
			expect(phones.dialed()).toEqual([first, second]);
			await workOff(3);
			expect(codes()).toEqual([throttled]);
			expect(phones.dialed()).toEqual([first, second, VISITOR]);
			await hear(phones.rings(VISITOR), phones.answers(VISITOR));
			expect(await call()).toMatchObject({ status: 'connected' });
		},
	);

	it('at telnyx dials once more if only the callback says that no channel is free, and accepts late copies of the callback', async () => {
		const { workOff, hear, phones, delays, call } = await callAt('telnyx new');
		const [first = '', second = ''] = TEAM;
		await workOff();
		const full = phones.hasNoChannel(second);
		await hear(full, full);
		expect(delays()).toEqual([2]);
		expect((await call())?.legs[1]).toMatchObject({ rank: 'dialing', cause: null, provider_id: null });
		expect(phones.dialed()).toEqual([first, second]);
		await workOff(2);
		expect(phones.dialed()).toEqual([first, second, second]);
		await hear(phones.rings(second));
		await hear(full).catch(() => undefined);
		expect((await call())?.legs[1]).toMatchObject({ rank: 'ringing', ended_at: null });
	});

	it('at an account with full rights needs no second try, and logs nothing about it', async () => {
		const { workOff, hear, phones, codes, call } = await callAt('twilio full');
		const [first = '', second = ''] = TEAM;
		await workOff();
		await hear(phones.rings(first), phones.rings(second), phones.answers(first), phones.presses(first));
		await workOff();
		await hear(phones.rings(VISITOR), phones.answers(VISITOR));
		expect(await call()).toMatchObject({ status: 'connected' });
		await hear(phones.ends(VISITOR, 'completed'));
		await workOff(1);
		expect(await call()).toMatchObject({ status: 'completed' });
		expect(codes()).toEqual([]);
	});
});

const finals: readonly FinalStatus[] = ['completed', 'canceled', 'no-answer', 'busy', 'failed'];
const cases = finals.flatMap((status) =>
	(['twilio full', 'telnyx new'] as const).map((account) => [account, status] as const),
);

describe('a visitor who does not answer', () => {
	it.each(cases)('is the failure reason if %s reports %s for the phone that we hung up', async (account, status) => {
		const { workOff, hear, phones, call } = await callAt(account, status);
		const [first = '', second = ''] = TEAM;
		await workOff();
		await hear(phones.rings(first), phones.ends(second, 'busy'), phones.answers(first), phones.presses(first));
		await workOff();
		await hear(phones.rings(VISITOR));
		// After 33 s, the phone has rung for the maximum time, and the service hangs up. The provider reports the end within the
		// same second.
		await workOff(33);
		await workOff();
		await workOff(1);
		const { status: ended, failure_reason, event_count } = (await call()) ?? {};
		expect({ ended, failure_reason, event_count }).toEqual({
			ended: 'failed',
			failure_reason: 'visitor_no_answer',
			event_count: 3,
		});
	});
});

describe('a number', () => {
	it('is called for another request only when no phone of the previous call can still ring', async () => {
		const { workOff, hear, phones, cancel, requestAgain } = await callAt('twilio full');
		const [first = '', second = ''] = TEAM;
		await workOff();
		await hear(phones.rings(first), phones.rings(second));
		await cancel();
		expect(await requestAgain()).toMatchObject({ refused: 'rate_limited' });
		await workOff(1);
		expect(await requestAgain()).toHaveProperty('call');
	});
});
