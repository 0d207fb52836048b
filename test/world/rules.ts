import { isTerminal } from '../../shared/domain/calls/call.ts';
import type { CallRecord } from '../../shared/domain/calls/call-record.ts';
import { legRanks } from '../../shared/domain/calls/leg.ts';
import { noticeId, type TeamNotice } from '../../shared/domain/leads/team-notice.ts';
import type { Delivery } from '../../shared/domain/webhooks/delivery.ts';
import type { Event } from '../../shared/domain/webhooks/event.ts';
import { RETRY_SCHEDULE_SECONDS } from '../../shared/domain/webhooks/retry-schedule.ts';
import type { WebhookEndpoint } from '../../shared/domain/webhooks/webhook-endpoint.ts';
import type { Write } from '../../shared/ports/store.ts';
import type { Said } from './actors.ts';
import type { Scenario } from './scenario.ts';
import { currentProcess, type Stage } from './stage.ts';

// What must hold in every world. docs/world.md lists the rules.

const ORDER = ['requested', 'ringing', 'connected', 'completed', 'failed', 'canceled'];
const rank = (status: string): number => Math.min(ORDER.indexOf(status), 3);
/** A visitor's or a team member's number, a signing secret, an API key. */
const CANARIES = /(?:202|312)\D{0,3}555\D{0,3}01\d\d|whsec_|cbk_live_/;
const LONGEST_CALL_MS = 2 * 3_600_000 + 120_000;
const SLACK_MS = 30 * 60_000;

type Published = { readonly event: Event; readonly at_ms: number; readonly read_from_ms: number };
type Known = { readonly endpoint: WebhookEndpoint; readonly from_ms: number; until_ms: number };

/** Watches every write of a world; `atTheEnd` judges what is left. */
export function watch(stage: Stage) {
	const published: Published[] = [];
	const endpoints = new Map<string, Known>();
	const calls = new Map<string, CallRecord>();
	const deliveries = new Map<string, Delivery>();
	const notices = new Map<string, TeamNotice>();

	function look(write: Write, before: unknown): void {
		if (write.op === 'count') return;
		if (write.op === 'remove') {
			if (write.record === 'webhook_endpoint') {
				const known = endpoints.get(write.key.id);
				if (known !== undefined) known.until_ms = stage.time.now();
			}
			return;
		}
		const { record, item } = write;
		stage.outputs.push(JSON.stringify(item));
		if ('version' in item) {
			const seen = before === null ? 0 : (before as { version: number }).version;
			if (item.version !== seen + 1 && record !== 'callback_link')
				stage.broken('no write over a version that its writer did not read', `${record} ${seen} -> ${item.version}`);
		}
		if (record === 'call') {
			calls.set(item.id, item);
			lookAtCall(stage, item, before as CallRecord | null);
		}
		if (record === 'delivery') deliveries.set(item.id, item);
		if (record === 'team_notice') notices.set(item.id, item);
		if (record === 'callback_lead' && before === null) stage.leads.push(item.id);
		if (record === 'webhook_endpoint' && !endpoints.has(item.id))
			endpoints.set(item.id, { endpoint: item, from_ms: stage.time.now(), until_ms: Number.POSITIVE_INFINITY });
		if (record !== 'event') return;
		if (before !== null) stage.broken('an event exists once', `${item.kind} of ${item.subject_id}`);
		const read_from_ms = currentProcess()?.started_ms ?? stage.time.now();
		published.push({ event: item, at_ms: stage.time.now(), read_from_ms });
	}
	stage.writes.push(look);

	async function atTheEnd(said: Said, scenario: Scenario): Promise<void> {
		checkPublished(stage, published, [...endpoints.values()], [...deliveries.values()], said);
		await checkDeliveries(stage, [...deliveries.values()], said);
		checkCalls(stage, [...calls.values()], published);
		await checkAnswers(stage, said, [...calls.values()]);
		const leak = stage.outputs.find((text) => CANARIES.test(text));
		if (leak !== undefined) stage.broken('no number, secret or key leaves the service', leak.slice(0, 300));
		for (const { record, id, due_at } of stage.timers.values())
			stage.broken('nothing is left undone', `${record} ${id} due at ${due_at}`);
		await checkNotices(stage);
		checkMissed(stage, [...calls.values()], [...notices.values()]);
		if (stage.calm) checkCalm(stage, [...deliveries.values()], said, scenario);
	}
	return { atTheEnd };
}

function lookAtCall(stage: Stage, call: CallRecord, before: CallRecord | null): void {
	if (before === null) return;
	if (before.status !== call.status) stage.tell(`call ${call.visitor_name}`, `${before.status} -> ${call.status}`);
	const back = rank(call.status) < rank(before.status) || (isTerminal(before.status) && call.status !== before.status);
	if (back) stage.broken('no status goes back', `${before.status} -> ${call.status}`);
	for (const leg of before.legs) {
		const after = call.legs.find(({ id }) => id === leg.id);
		const retried = leg.throttled_until !== null;
		if (after === undefined) stage.broken('no leg disappears', leg.id);
		else if (!retried && legRanks.indexOf(after.rank) < legRanks.indexOf(leg.rank))
			stage.broken('no leg goes back', `${leg.rank} -> ${after.rank}`);
	}
}

/** Each event has one delivery for each endpoint that was subscribed at its commit. */
function checkPublished(
	stage: Stage,
	published: readonly Published[],
	endpoints: readonly Known[],
	deliveries: readonly Delivery[],
	said: Said,
): void {
	const made = new Map<string, number>();
	for (const { event_id, endpoint_id } of deliveries) {
		const pair = `${event_id} ${endpoint_id}`;
		made.set(pair, (made.get(pair) ?? 0) + 1);
	}
	for (const { event, at_ms, read_from_ms } of published) {
		for (const { endpoint, from_ms, until_ms } of endpoints) {
			const pair = `${event.id} ${endpoint.id}`;
			const subscribed = endpoint.events.includes(event.kind) && endpoint.workspace_id === event.workspace_id;
			const must = subscribed && from_ms < read_from_ms && until_ms > at_ms;
			const may = subscribed && (said.recovered.has(endpoint.id) || (from_ms <= at_ms && until_ms >= read_from_ms));
			const count = made.get(pair) ?? 0;
			if (must && count === 0) stage.broken('every event has a delivery for each subscriber', `${event.kind} ${pair}`);
			if (count > (may ? 1 : 0)) stage.broken('no delivery without a subscription, and none twice', pair);
		}
	}
}

async function checkDeliveries(stage: Stage, deliveries: readonly Delivery[], said: Said): Promise<void> {
	for (const delivery of deliveries) {
		const { id, status, attempt_count } = delivery;
		const posts = stage.posts.filter(({ delivery_id }) => delivery_id === id);
		const whole = posts.filter(({ process }) => process !== null && !process.hurt);
		const endpoint = await stage.truth.get('webhook_endpoint', {
			workspace_id: delivery.workspace_id,
			id: delivery.endpoint_id,
		});
		if (status === 'pending') stage.broken('every delivery ends', `${id} is pending`);
		if (status === 'held' && endpoint?.status === 'enabled' && !said.left_held.has(endpoint.id))
			stage.broken('only a disabled endpoint holds deliveries', id);
		const exhausted = status === 'failed' && delivery.last_attempt?.response_status !== 410;
		if (exhausted && !stage.pointed.has(id)) stage.broken('operators learn of every exhausted delivery', id);
		if (status === 'canceled' && endpoint !== null) stage.broken('only deletion cancels deliveries', id);
		if (status === 'succeeded' && !posts.some((post) => post.status === 200))
			stage.broken('what succeeded was received', id);
		if (attempt_count > posts.length)
			stage.broken('every attempt was a POST', `${id} ${attempt_count} ${posts.length}`);
		if (whole.length > attempt_count)
			stage.broken('a POST is repeated only by a crash', `${id}: ${whole.length} POSTs, ${attempt_count} attempts`);
		const untouched = delivery.generation === 1 && !said.asked_again.has(id);
		if (!untouched) continue;
		if (whole.filter((post) => post.status === 200).length > 1)
			stage.broken('nothing is delivered again after a success', id);
		for (const [position, post] of whole.entries()) {
			const next = whole[position + 1];
			if (next === undefined || next.attempt !== post.attempt + 1) continue;
			const wait_ms = (RETRY_SCHEDULE_SECONDS[post.attempt] ?? 0) * 1000;
			if (next.at_ms - post.at_ms < wait_ms) stage.broken('no attempt before its time', `${id} ${next.attempt}`);
		}
	}
}

function checkCalls(stage: Stage, calls: readonly CallRecord[], published: readonly Published[]): void {
	for (const call of calls) {
		const kinds = published.filter(({ event }) => event.subject_id === call.id).map(({ event }) => event.kind);
		const ends = kinds.filter((kind) => kind === 'call.completed' || kind === 'call.failed');
		if (!isTerminal(call.status)) stage.broken('every call ends', `${call.id} is ${call.status}`);
		else if (ends.length !== 1) stage.broken('every call has one terminal event', kinds.join(', '));
		if (kinds.includes('call.completed') && !kinds.includes('call.connected'))
			stage.broken('a completed call was connected', kinds.join(', '));
		if (call.connected_at !== null && kinds.indexOf('call.connected') > kinds.indexOf('call.completed'))
			stage.broken('connected comes before completed', kinds.join(', '));
		const took_ms = Date.parse(call.completed_at ?? '') - Date.parse(call.created_at);
		if (took_ms > LONGEST_CALL_MS + SLACK_MS) stage.broken('a call ends by its deadline', `${took_ms} ms`);
		const talked = call.status === 'completed' && (call.duration_seconds ?? 0) > 0;
		const answered = stage
			.phones()
			.phones.filter(({ leg_id, answered_at }) => answered_at !== null && call.legs.some(({ id }) => id === leg_id));
		if (talked && answered.length < 2) stage.broken('who is said to have talked has answered', call.id);
		const sequences = published.filter(({ event }) => event.subject_id === call.id).map(({ event }) => event.sequence);
		if (sequences.some((sequence, position) => sequence !== position + 1))
			stage.broken('the events of a call are counted from 1', sequences.join(', '));
	}
	for (const phone of stage.phones().phones) {
		if (phone.rank !== 'ended') stage.broken('no phone is left on', `${phone.role} ${phone.rank}`);
	}
}

async function checkAnswers(stage: Stage, said: Said, calls: readonly CallRecord[]): Promise<void> {
	for (const [visitor, ids] of said.calls) {
		if (ids.size > 1) stage.broken('one Idempotency-Key, one call', `visitor ${visitor}`);
		for (const id of ids)
			if ((await stage.truth.get('call', { id })) === null) stage.broken('an accepted request is kept', id);
	}
	for (const ids of said.leads.values())
		for (const id of ids)
			if ((await stage.truth.get('callback_lead', { id })) === null) stage.broken('an accepted lead is kept', id);
	const names = calls.map(({ visitor_name }) => visitor_name);
	if (new Set(names).size < names.length) stage.broken('one Idempotency-Key, one call', names.join(', '));
}

async function checkNotices(stage: Stage): Promise<void> {
	for (const lead of stage.leads) {
		const notice = await stage.truth.get('team_notice', { id: noticeId(lead, 'mail') });
		if (notice === null) stage.broken('a lead notifies the team', lead);
		else if (notice.status === 'pending') stage.broken('every notice ends', lead);
	}
}

/** Every call that the team did not answer is told once. */
function checkMissed(stage: Stage, calls: readonly CallRecord[], notices: readonly TeamNotice[]): void {
	const missed = calls.filter(({ failure_reason }) => failure_reason === 'no_agent_answer');
	for (const { id } of missed) {
		const telling = notices.filter((notice) => notice.missed?.call_ids.includes(id));
		if (telling.length !== 1) stage.broken('a missed call is told once', `${id}: ${telling.length} notices`);
		if (telling.some(({ status }) => status === 'pending')) stage.broken('every notice ends', id);
		const named = stage.mails.some((mail) => 'calls' in mail && mail.calls.some((call) => call.id === id));
		if (telling.some(({ status }) => status === 'sent') && !named)
			stage.broken('a missed call is told once', `${id} in no mail`);
	}
	for (const { missed: told } of notices) {
		const other = told?.call_ids.find((id) => missed.every((call) => call.id !== id));
		if (other !== undefined) stage.broken('only a missed call is told as missed', other);
	}
}

/** With faults off, everything is delivered at once, and once. */
function checkCalm(stage: Stage, deliveries: readonly Delivery[], { refused }: Said, { receivers }: Scenario): void {
	for (const { id, status, attempt_count } of deliveries) {
		if (status !== 'succeeded' || attempt_count !== 1)
			stage.broken('in calm worlds all is delivered', `${id} ${status}`);
	}
	if (stage.posts.length !== deliveries.length)
		stage.broken(
			'in calm worlds all is delivered once',
			`${stage.posts.length} POSTs to ${receivers.length} receivers`,
		);
	if (stage.letters.length > 0) stage.broken('in calm worlds nothing is given up', stage.letters.join(' '));
	const [answer] = refused;
	if (answer !== undefined) stage.broken('in calm worlds no visitor is refused', `${answer.status} ${answer.body}`);
}
