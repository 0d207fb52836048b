import type { SQSEvent } from 'aws-lambda';
import { eventKinds } from '../../../shared/domain/webhooks/event.ts';
import type { Write } from '../../../shared/ports/store.ts';
import { sweep } from '../../../shared/use-cases/operations/sweep.ts';
import { jitter, WATCHED_MS } from '../../../widget/request/pace.ts';
import { samples, WORKSPACE } from '../../conformance/store/records.ts';
import { type DynamoStandIn, startDynamo } from '../aws/stand-ins.ts';
import { agenda } from './agenda.ts';
import { callbacks, widget, workers } from './metered-functions.ts';
import { meteredProvider } from './metered-provider.ts';
import { type CallCounts, meteredWorld, type Sent } from './metered-world.ts';

// One call as most are, by the product's own edge, use cases and pace of the widget, in virtual time: what AWS bills of it.

const START_MS = Date.parse('2026-11-21T09:00:00.000Z');
const SWEEP_MS = 60_000;
/** Of a browser's request, there and back. */
const NETWORK_MS = 60;
const ALWAYS = { if: 'always' } as const;
const workspace = {
	...samples.workspace,
	consent_text: 'I agree to be called about my enquiry at the number I have given.',
	limits: { ...samples.workspace.limits, calls_per_day: 500 },
	business_hours: null,
};
const team = { owner: `team#${WORKSPACE}#0`, sealed: 'x'.repeat(400), expires_at_epoch_s: null };
const endpoint = { ...samples.webhook_endpoint, events: eventKinds };

/** What is there before the call. */
function furniture(endpoints: 0 | 1): readonly Write[] {
	return [
		{ op: 'put', record: 'workspace', item: workspace, guard: ALWAYS },
		{ op: 'put', record: 'workspace_key', item: samples.workspace_key, guard: ALWAYS },
		{ op: 'put', record: 'allowed_origin', item: samples.allowed_origin, guard: ALWAYS },
		{ op: 'put', record: 'team_number', item: team, guard: ALWAYS },
		...(endpoints === 0 ? [] : [{ op: 'put', record: 'webhook_endpoint', item: endpoint, guard: ALWAYS } as const]),
	];
}

/**
 * Measures one call: one team member, a conversation of this many minutes, and webhook endpoints that subscribe to all its
 * events.
 */
export async function meteredCall(dynamo: DynamoStandIn, talk_minutes: number, endpoints: 0 | 1): Promise<CallCounts> {
	const time = agenda(START_MS);
	let call_id = '';
	const world = await meteredWorld(dynamo, time, (sent) => work(sent));
	const { deps } = world;
	await deps.store.commit(furniture(endpoints));
	const heard = callbacks(
		world,
		() => call_id,
		() => telephony,
	);
	const telephony = meteredProvider(talk_minutes * 60_000, time, world, heard);
	const run = workers(world, telephony);
	async function work({ queue, message }: Sent): Promise<void> {
		if (!(queue in run)) throw new Error(`nothing works on ${queue}`);
		const Records = [{ messageId: '1', body: JSON.stringify(message) }];
		const { batchItemFailures } = await run[queue as keyof typeof run]({ Records } as SQSEvent);
		if (batchItemFailures.length > 0) throw new Error(`a message of ${queue} failed`);
	}
	const browser = widget(world);
	let watching = false;
	const pollIn = (ms: number): void =>
		time.after(jitter(ms, 0.5) + NETWORK_MS, async () => {
			// The end came over the WebSocket.
			if (world.counts().shown > 0) return;
			const { poll_after_ms, live_url = null } = await browser.poll(call_id);
			if (live_url !== null && !watching) {
				await browser.watch(call_id);
				watching = true;
			}
			if (poll_after_ms !== null) pollIn(watching ? WATCHED_MS : poll_after_ms);
		});
	const sweeps = async (): Promise<void> => {
		await sweep({ ...deps, backlog: async () => 0 });
		const call = await world.unmetered(() => deps.store.get('call', { id: call_id }));
		if (call?.due_at !== null) time.after(SWEEP_MS, sweeps);
	};
	world.meter(true);
	await browser.open();
	const { id, poll_after_ms } = await browser.request();
	call_id = id;
	pollIn(poll_after_ms ?? 0);
	time.after(SWEEP_MS / 2, sweeps);
	for (let next = time.next(Number.POSITIVE_INFINITY); next; next = time.next(Number.POSITIVE_INFINITY)) await next();
	world.meter(false);
	const call = await deps.store.get('call', { id: call_id });
	if (call?.status !== 'completed' || call.duration_seconds !== talk_minutes * 60) {
		throw new Error(`the call is ${call?.status} after ${call?.duration_seconds} s`);
	}
	return world.counts();
}

export const TALK_MINUTES = [1, 3, 10] as const;
export type TalkMinutes = (typeof TALK_MINUTES)[number];

/** What whole calls take, by the minutes of the talk, without a webhook endpoint and with one. */
export async function meteredCalls(minutes: readonly TalkMinutes[] = TALK_MINUTES) {
	const dynamo = await startDynamo();
	try {
		const calls: { readonly minutes: TalkMinutes; readonly without: CallCounts; readonly withOne: CallCounts }[] = [];
		for (const each of minutes) {
			const without = await meteredCall(dynamo, each, 0);
			calls.push({ minutes: each, without, withOne: await meteredCall(dynamo, each, 1) });
		}
		return calls;
	} finally {
		await dynamo.stop();
	}
}

/** The same of a talk of one minute. */
export async function unitsOfACall(): Promise<{ readonly without: CallCounts; readonly withOne: CallCounts }> {
	const [call] = await meteredCalls([1]);
	if (call === undefined) throw new Error('no call was metered');
	return call;
}
