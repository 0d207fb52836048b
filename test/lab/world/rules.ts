import { isTerminal } from '../../../shared/domain/calls/call.ts';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import { memberNumbers, shopNumbers, sumUp, tallyCounter } from '../../../shared/domain/calls/tally.ts';
import type { CallbackLead } from '../../../shared/domain/leads/callback-lead.ts';
import type { TeamNotice } from '../../../shared/domain/notices/team-notice.ts';
import type { Delivery } from '../../../shared/domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import type { Write } from '../../../shared/ports/store.ts';
import { readSources } from '../../../shared/use-cases/calls/read-sources.ts';
import { counted, countedMembers, countedSources } from '../../support/counted.ts';
import type { Said } from './actors.ts';
import { type BreakerState, checkBounds, lookAtWait } from './bounds.ts';
import { checkCalls, lookAtCall, type Published } from './call-rules.ts';
import { checkDeliveries } from './delivery-rules.ts';
import { checkHistory, lookAtClaims, lookAtTeam } from './member-rules.ts';
import { checkNotices } from './notice-rules.ts';
import type { Scenario } from './scenario.ts';
import { currentProcess, type Stage } from './stage.ts';

// The rules of every world. docs/world.md lists them.

/** Values that must never appear: a visitor's or a team member's number, a signing secret, an API key. */
const CANARIES = /(?:202|312)\D{0,3}555\D{0,3}01\d\d|whsec_|cbk_live_/;
type Known = { readonly endpoint: WebhookEndpoint; readonly from_ms: number; until_ms: number };

/** Checks every write of a world. `atTheEnd` checks the final state. */
export function watch(stage: Stage) {
	const published: Published[] = [];
	const endpoints = new Map<string, Known>();
	const calls = new Map<string, CallRecord>();
	const deliveries = new Map<string, Delivery>();
	const notices = new Map<string, TeamNotice>();
	const leads = new Map<string, CallbackLead>();
	const breakers: BreakerState[] = [];

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
			lookAtClaims(stage, item, before as CallRecord | null);
		}
		if (record === 'workspace') lookAtTeam(stage, item);
		if (record === 'delivery') {
			deliveries.set(item.id, item);
			lookAtWait(stage, item, before as Delivery | null);
		}
		if (record === 'team_notice') notices.set(item.id, item);
		if (record === 'callback_lead') leads.set(item.id, item);
		if (record === 'callback_lead' && before === null) stage.leads.push(item.id);
		if (record === 'webhook_endpoint') {
			const at_ms = stage.time.now();
			stage.endpoint_changes.set(item.id, at_ms);
			const { open_until, consecutive_unreachable: failures } = item.health;
			breakers.push({ host: new URL(item.url).hostname, at_ms, is_open: open_until !== null, failures });
		}
		if (record === 'webhook_endpoint' && !endpoints.has(item.id))
			endpoints.set(item.id, { endpoint: item, from_ms: stage.time.now(), until_ms: Number.POSITIVE_INFINITY });
		if (record !== 'event') return;
		if (before !== null) stage.broken('an event exists once', `${item.kind} of ${item.subject_id}`);
		const read_from_ms = currentProcess()?.started_ms ?? stage.time.now();
		published.push({ event: item, at_ms: stage.time.now(), read_from_ms });
	}
	stage.writes.push(look);

	async function atTheEnd(said: Said, scenario: Scenario): Promise<void> {
		const allCalls = [...calls.values()];
		const allDeliveries = [...deliveries.values()];
		checkPublished(stage, published, [...endpoints.values()], allDeliveries, said);
		await checkDeliveries(stage, allDeliveries, said);
		checkCalls(stage, allCalls, published);
		await checkFigures(stage, allCalls, [...leads.values()]);
		await checkAnswers(stage, said, allCalls);
		const leak = stage.outputs.find((text) => CANARIES.test(text));
		if (leak !== undefined) stage.broken('no number, secret or key leaves the service', leak.slice(0, 300));
		for (const { record, id, due_at } of stage.timers.values())
			stage.broken('nothing is left undone', `${record} ${id} due at ${due_at}`);
		await checkNotices(stage, allCalls, [...notices.values()]);
		await checkHistory(stage, allCalls);
		const deleted_ms = Math.min(...[...endpoints.values()].map(({ until_ms }) => until_ms));
		if (stage.kind === 'flood') checkBounds(stage, allDeliveries, { breakers, retries: said.retries, deleted_ms });
		if (stage.kind === 'calm') checkCalm(stage, allDeliveries, said, scenario);
	}
	return { atTheEnd };
}

/** Checks the desk's figures: the tallies must equal a count of the stored records. */
async function checkFigures(stage: Stage, calls: readonly CallRecord[], leads: readonly CallbackLead[]): Promise<void> {
	const hourOf = (at: string | number): number => new Date(at).getUTCHours();
	const rule = 'the figures equal a count of the calls and leads';
	for (const id of new Set([...calls, ...leads].map(({ workspace_id }) => workspace_id))) {
		const own = <T extends { readonly workspace_id: string }>(all: readonly T[]) =>
			all.filter(({ workspace_id }) => workspace_id === id);
		const tallies = await stage.truth.usedFrom(tallyCounter(id), '');
		const { median_wait_seconds: _, ...tallied } = shopNumbers(sumUp(tallies), 0, hourOf);
		const is = JSON.stringify(counted(own(calls), own(leads), hourOf));
		if (JSON.stringify(tallied) !== is) stage.broken(rule, `${JSON.stringify(tallied)} not ${is}`);
		const members = Object.entries(countedMembers(own(calls).filter(({ status }) => isTerminal(status))));
		for (const [member, { took }] of members)
			if (memberNumbers(tallies).get(member)?.took !== took) stage.broken(rule, `${member} took ${took}`);
		const sources = await readSources(id, { tallies, from: '2000-01-01T00:00' }, stage.truth);
		for (const kind of ['path', 'campaign'] as const) {
			const found = sources[kind].map((each) => JSON.stringify(each)).sort();
			const there = Object.values(countedSources(kind, own(calls), own(leads))).map((each) => JSON.stringify(each));
			if (JSON.stringify(found) !== JSON.stringify(there.sort())) stage.broken(rule, `${kind}: ${found}, not ${there}`);
		}
	}
}

/** Checks that each event has one delivery for each endpoint that was subscribed when the event was committed. */
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

/** Checks that without faults, each delivery succeeds at its only attempt, nothing is given up, and no visitor is refused. */
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
