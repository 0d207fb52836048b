import { ulidIds } from '../../../shared/adapters/system/ids.ts';
import { isTerminal } from '../../../shared/domain/calls/call.ts';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import { instructionFor } from '../../../shared/domain/calls/instruction.ts';
import { isLive } from '../../../shared/domain/calls/leg.ts';
import { HEALTHY } from '../../../shared/domain/webhooks/endpoint-health.ts';
import { type Event, eventKinds } from '../../../shared/domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import type { Queues } from '../../../shared/ports/queues.ts';
import type { Store } from '../../../shared/ports/store.ts';
import type { Telephony } from '../../../shared/ports/telephony.ts';
import { callEvent, sendWhatFollows } from '../../../shared/use-cases/calls/advance-call.ts';
import { applyLegFact } from '../../../shared/use-cases/calls/apply-leg-fact.ts';
import { cancelCall } from '../../../shared/use-cases/calls/cancel-call.ts';
import { checkDeadlines } from '../../../shared/use-cases/calls/check-deadlines.ts';
import { dialLeg } from '../../../shared/use-cases/calls/dial-leg.ts';
import { hangUpLeg } from '../../../shared/use-cases/calls/hang-up-leg.ts';
import { publish } from '../../../shared/use-cases/webhooks/publish-event.ts';
import { memoryStore } from '../memory-store.ts';
import { phoneWorld } from '../phones/phone-world.ts';
import { toldLog } from '../told-log.ts';
import { agenda } from './agenda.ts';
import { CALL_ID, CLEAR, requested, type Scenario, START_MS } from './call-run.ts';
import { Killed, mortal, type Strike } from './mortal.ts';

// The use cases of a call with people in virtual time, in a process that can be killed at every step.

export type People = Pick<Scenario, 'strategy' | 'order' | 'team' | 'visitor'>;

const RECEIVED_AGAIN_MS = 30_000;
const ASKED_AGAIN_MS = 1000;
const MOST_RECEIVES = 5;
const SWEEP_MS = 60_000;
const ALWAYS = { if: 'always' } as const;

const endpoint = (id: string, changes: Partial<WebhookEndpoint>): WebhookEndpoint => ({
	id: id.padStart(26, '0'),
	version: 1,
	workspace_id: '01K0000000000000000000000W',
	url: 'https://receiver.example/hook',
	description: null,
	events: eventKinds,
	status: 'enabled',
	disabled_reason: null,
	secrets: [],
	health: HEALTHY,
	created_at: new Date(START_MS).toISOString(),
	updated_at: new Date(START_MS).toISOString(),
	...changes,
});
/** One for everything, one that is off, one for the end only. */
export const endpoints: readonly WebhookEndpoint[] = [
	endpoint('1', {}),
	endpoint('2', { status: 'disabled', disabled_reason: 'manual' }),
	endpoint('3', { events: ['call.completed'] }),
];

export async function runEngine(people: People, strike: Strike = () => null, cancel_after_ms: number | null = null) {
	const time = agenda(START_MS);
	const truth = memoryStore();
	const clock = { now: () => time.now() };
	let steps = 0;
	const step = () => strike(steps++);
	const failures: string[] = [];

	/** Runs again after a while when it fails, as SQS and providers do. */
	async function insist(run: () => Promise<void>, again_ms: number, left: number): Promise<void> {
		try {
			await run();
		} catch (error) {
			if (!(error instanceof Killed)) failures.push(String(error));
			if (left > 1) time.after(again_ms, () => insist(run, again_ms, left - 1));
		}
	}
	const world = phoneWorld(
		{ ...people, time, line: () => CLEAR, skew_ms: 0, ends_tell_presses: true },
		{
			callback: (leg_id, fact) =>
				insist(
					async () => void (await applyLegFact({ call_id: CALL_ID, leg_id, keyed: true }, fact, deps)),
					ASKED_AGAIN_MS,
					4,
				),
			ask: (leg_id, fact, told) =>
				insist(
					async () => {
						await applyLegFact({ call_id: CALL_ID, leg_id, keyed: true }, fact, deps);
						const call = await deps.store.get('call', { id: CALL_ID });
						told(call === null ? null : instructionFor(call, leg_id));
					},
					ASKED_AGAIN_MS,
					2,
				),
		},
	);
	const queues: Queues = {
		async send(queue, messages) {
			for (const { message, delay_seconds } of messages) {
				const run = () => work(queue, { at: null, leg_id: '', ...message });
				time.after(delay_seconds * 1000, () => insist(run, RECEIVED_AGAIN_MS, MOST_RECEIVES));
			}
			return { sent: messages.length, failed: 0 };
		},
	};
	async function work(queue: string, message: object): Promise<void> {
		const { leg_id, ...timer } = message as { leg_id: string; at: string | null; timer_at?: string };
		if (queue === 'dial-legs') await dialLeg({ call_id: CALL_ID, leg_id }, deps);
		if (queue === 'hang-up-legs') await hangUpLeg({ call_id: CALL_ID, leg_id }, deps);
		if (queue === 'call-timers') await checkDeadlines({ ...timer, call_id: CALL_ID }, deps);
	}
	const telephony: Telephony = {
		async dial({ leg_id, role, ring_seconds, to }) {
			const member = role === 'visitor' ? null : Number(to);
			const { provider_id } = world.dial({ leg_id, role, member, ring_ms: ring_seconds * 1000 });
			return { dial: 'accepted', provider_id };
		},
		hangup: async (provider_id) => ({ hangup: world.hangUp(provider_id) }),
		async lookup(leg_id) {
			const fact = world.lookUp(leg_id);
			return fact === 'missing' ? { lookup: 'missing' } : { lookup: 'found', fact };
		},
		receive: async () => ({ received: 'forged' }),
		render: () => ({ content_type: '', body: '' }),
	};
	const history: CallRecord[] = [];
	const store: Store = {
		...truth,
		async commit(writes) {
			const outcome = await truth.commit(writes);
			if (outcome.committed)
				for (const write of writes) if (write.op === 'put' && write.record === 'call') history.push(write.item);
			return outcome;
		},
	};
	const deps = {
		store: mortal(store, step),
		queues: mortal(queues, step),
		telephony: mortal(telephony, step),
		opener: mortal({ openNumber: async (sealed: string) => sealed }, step),
		clock,
		ids: ulidIds,
		speed: 1,
		log: toldLog().log,
	};

	async function request(): Promise<void> {
		const created = requested(people);
		const now = time.now();
		const [publication] = created.events.map((event) => publish(callEvent(event, 1, ulidIds.next(), now), endpoints));
		if (publication === undefined) throw new Error('nothing was announced');
		const number = (owner: string, sealed: string) =>
			({
				op: 'put',
				record: 'sealed_number',
				item: { owner, sealed, expires_at_epoch_s: null },
				guard: ALWAYS,
			}) as const;
		await store.commit([
			{ op: 'put', record: 'call', item: created.call, guard: { if: 'absent' } },
			number(`call#${CALL_ID}`, 'visitor'),
			...people.team.map((_, member) => number(`team#${created.call.workspace_id}#${member}`, String(member))),
			...endpoints.map((item) => ({ op: 'put', record: 'webhook_endpoint', item, guard: ALWAYS }) as const),
			...publication.writes,
		]);
		await sendWhatFollows(created, publication, deps);
	}
	async function sweep(): Promise<void> {
		const call = await truth.get('call', { id: CALL_ID });
		if (call?.due_at === null) return;
		if (call && Date.parse(call.due_at ?? '') <= time.now())
			await insist(() => work('call-timers', { at: null }), 0, 1);
		time.after(SWEEP_MS, sweep);
	}
	time.after(0, () => insist(request, 0, 1));
	time.after(SWEEP_MS, sweep);
	if (cancel_after_ms !== null) {
		const asked = { workspace_id: '01K0000000000000000000000W', id: CALL_ID };
		time.after(cancel_after_ms, () => insist(async () => void (await cancelCall(asked, deps)), ASKED_AGAIN_MS, 4));
	}
	for (let run = time.next(Number.POSITIVE_INFINITY); run; run = time.next(Number.POSITIVE_INFINITY)) await run();

	const [call] = history.slice(-1);
	if (call === undefined) throw new Error('there is no call');
	const kept = await Promise.all(eventKinds.map((kind) => truth.get('event', { subject_id: CALL_ID, kind })));
	const events = kept.filter((event): event is Event => event !== null).sort((a, b) => a.sequence - b.sequence);
	const rung = world.phones.map(({ role, member }) => `${role} ${member}`);
	const over = isTerminal(call.status) && !call.legs.some(isLive);
	return { call, history, events, rung, over, steps, failures, store: truth, ended_ms: time.now() };
}
