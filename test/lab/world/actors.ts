import type { Delivery } from '../../../shared/domain/webhooks/delivery.ts';
import { type EventKind, eventKinds, makeEvent } from '../../../shared/domain/webhooks/event.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { messageSchemas } from '../../../shared/messages/schemas.ts';
import { type DeadLetterContent, judgeDeadLetter } from '../../../shared/use-cases/dead-letters/judge-dead-letter.ts';
import { replayDeadLetter } from '../../../shared/use-cases/dead-letters/replay-dead-letter.ts';
import { publish as publication } from '../../../shared/use-cases/webhooks/event-outbox.ts';
import { type Asked, ask, type FunctionResponse } from './functions.ts';
import { newOperator } from './operator.ts';
import { newOwner } from './owner.ts';
import * as ports from './ports.ts';
import { type Act, CANARY, ORIGIN, type Scenario } from './scenario.ts';
import { Died, type Stage } from './stage.ts';

// The people of a world: visitors, the team, the customer's programs, operators, and a spy, who has the API key of another
// customer.

const TRIES = 5;
/** The pages on which visitors ask, in turn. They differ, because the desk's figures count visitors by page and by campaign. */
const PAGES = [
	'/pricing',
	'/',
	'/orders/4711',
	'/orders/4712?utm_source=mail',
	'/pricing/?utm_campaign=spring',
] as const;
const EVERYTHING = { from_id: null, before_id: null, limit: 1000 };
const SHOWS_A_SECRET = /^\/webhook-endpoints(\/\w+\/rotate-secret)?$/;

/** What the service responded. The rules check these values. */
export type Said = {
	/** The call ids in the responses to each visitor. */
	readonly calls: Map<number, Set<string>>;
	readonly leads: Map<number, Set<string>>;
	readonly refused: FunctionResponse[];
	/** Endpoints whose missing deliveries a person recovered. */
	readonly recovered: Set<string>;
	/** When the service last responded to a request that enables the endpoint. */
	readonly enabled_ms: Map<string, number>;
	/** Deliveries that the API lists at the end. */
	readonly listed: Set<string>;
	/** Deliveries that a person requested again. */
	readonly asked_again: Set<string>;
	/** A person's accepted requests for a retry, and when they were made. */
	readonly retries: Retry[];
};
export type Retry = { readonly delivery_id: string; readonly at_ms: number };

type DeliveryPage = { readonly data: readonly { readonly id: string }[]; readonly next_cursor: string | null };
type Customer = { readonly workspace: Workspace; readonly key: string };

export function newActors(stage: Stage, scenario: Scenario, { workspace, key }: Customer, spyKey: string) {
	const said: Said = {
		calls: new Map(),
		leads: new Map(),
		refused: [],
		recovered: new Set(),
		enabled_ms: new Map(),
		listed: new Set(),
		asked_again: new Set(),
		retries: [],
	};
	const endpoints: string[] = [];
	const secrets = new Map<string, string>();
	const changeTheTeam = newOwner(stage, workspace.id);
	const changeTheRules = newOperator(stage, workspace.id);
	let requests = 0;

	/**
	 * Sends a request. If there is no response, or the response is 429 or 5xx, repeats the request with the same key, as clients
	 * do. Returns the response to the last try; null if there was none.
	 */
	async function insist(who: string, asked: Asked, left = TRIES): Promise<FunctionResponse | null> {
		const answer = await ask(stage, who, asked);
		if (answer !== null && !SHOWS_A_SECRET.test(asked.path)) {
			stage.outputs.push(answer.body);
			if (answer.body.includes(CANARY)) stage.broken('no key reads another customer', asked.path);
		}
		const answered = answer !== null && answer.status < 500 && answer.status !== 429;
		if (answered || left <= 1) return answer;
		await stage.wait(1000 + stage.random.below('again', 2000));
		return insist(who, asked, left - 1);
	}
	const asClient = (method: string, path: string, body?: object): Promise<FunctionResponse | null> => {
		requests += 1;
		const headers = { authorization: `Bearer ${key}`, 'idempotency-key': `client-${requests}` };
		return insist('a client', { method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
	};
	const asVisitor = (
		visitor: number,
		method: string,
		path: string,
		body?: object,
	): Promise<FunctionResponse | null> => {
		const headers = { origin: ORIGIN, 'idempotency-key': `visitor-${visitor}` };
		const text = body === undefined ? {} : { body: JSON.stringify(body) };
		return insist(`visitor ${visitor}`, { method, path, headers, ...text });
	};
	function form(visitor: number) {
		const phone = `+120255501${String(10 + visitor).padStart(2, '0')}`;
		stage.visitor_numbers.add(phone);
		const page_url = ORIGIN + (PAGES[visitor % PAGES.length] ?? '');
		return { workspace_key: workspace.workspace_key, phone, name: `visitor-${visitor}`, consent: true, page_url };
	}
	function keep(
		into: Map<number, Set<string>>,
		visitor: number,
		answer: FunctionResponse | null,
		success: number,
	): string | null {
		if (answer === null) return null;
		if (answer.status !== success) {
			said.refused.push(answer);
			return null;
		}
		const { data } = JSON.parse(answer.body) as { readonly data: { readonly id: string } };
		into.set(visitor, (into.get(visitor) ?? new Set()).add(data.id));
		return data.id;
	}
	async function request(visitor: number): Promise<void> {
		const answer = await asVisitor(visitor, 'POST', '/widget/call-requests', form(visitor));
		const id = keep(said.calls, visitor, answer, 202);
		if (id !== null) secrets.set(id, answer?.headers['cancel-secret'] ?? '');
	}
	async function createEndpoint(): Promise<void> {
		const receiver = scenario.receivers[endpoints.length];
		if (receiver === undefined) return;
		const host = `receiver-${endpoints.length}.example`;
		const nowMs = stage.time.now();
		const down = receiver.down.map(({ from_ms, to_ms }) => ({ from_ms: nowMs + from_ms, to_ms: nowMs + to_ms }));
		stage.receivers.set(host, { ...receiver, down });
		const events = endpoints.length === 1 ? ['call.completed', 'call.failed'] : [...eventKinds];
		endpoints.push('');
		const position = endpoints.length - 1;
		const answer = await asClient('POST', '/webhook-endpoints', { url: `https://${host}/hook`, events });
		if (answer?.status === 201) endpoints[position] = (JSON.parse(answer.body) as { data: { id: string } }).data.id;
	}
	async function firstCall(): Promise<string | null> {
		const [call] = await stage.truth.list('call', workspace.id, EVERYTHING);
		return call?.id ?? null;
	}
	async function deliveriesOf(endpointId: string): Promise<readonly Delivery[]> {
		const all = await stage.truth.list('delivery', workspace.id, EVERYTHING);
		return all.filter((delivery) => delivery.endpoint_id === endpointId);
	}
	async function followLink(): Promise<void> {
		const notice = stage.mails.findLast((mail) => 'link' in mail);
		if (notice === undefined || !('link' in notice)) return;
		const path = new URL(notice.link.url).pathname.replace(/^\/v1/, '');
		const page = await insist('a team member', { method: 'GET', path });
		const [, phone] = /name="?phone"?[^>]*value="([^"]+)"/.exec(page?.body ?? '') ?? [];
		if (phone === undefined) return;
		const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
		await insist('a team member', { method: 'POST', path, headers, body: new URLSearchParams({ phone }).toString() });
	}
	async function spy(): Promise<void> {
		const call = await firstCall();
		const [delivery] = await stage.truth.list('delivery', workspace.id, EVERYTHING);
		const paths = [
			...(call === null ? [] : [`/calls/${call}`]),
			...(delivery === undefined ? [] : [`/webhook-deliveries/${delivery.id}`]),
			...endpoints.filter((id) => id !== '').map((id) => `/webhook-endpoints/${id}`),
		];
		for (const path of paths) {
			const answer = await ask(stage, 'a spy', {
				method: 'GET',
				path,
				headers: { authorization: `Bearer ${spyKey}` },
			});
			if (answer !== null && answer.status < 400) stage.broken('no key reads another customer', path);
		}
	}
	/** Operators redrive the current messages of the dead-letter queue. */
	async function replay(): Promise<void> {
		const { store } = stage;
		for (const body of stage.letters.splice(0)) {
			const deps = { store, queues: ports.sqsQueues(), clock: ports.systemClock };
			const { process, done } = stage.run('an operator', async () => {
				const { verdict } = await judgeDeadLetter(readLetter(body), { store, now_ms: stage.time.now() });
				if (verdict.verdict === 'replay') said.asked_again.add(verdict.delivery.id);
				return replayDeadLetter(verdict, deps);
			});
			const drop = await done.catch(() => false);
			if (!drop || process.dead) stage.letters.push(body);
		}
	}
	async function touch(act: Extract<Act, { readonly endpoint: number }>): Promise<void> {
		const id = endpoints[act.endpoint];
		if (id === undefined || id === '') return;
		const at = `/webhook-endpoints/${id}`;
		const mine = await deliveriesOf(id);
		const since = new Date(stage.time.now() - 48 * 3_600_000).toISOString();
		const again = (): void => mine.forEach((delivery) => void said.asked_again.add(delivery.id));
		switch (act.act) {
			case 'disable':
				await asClient('PATCH', at, { status: 'disabled' });
				break;
			case 'enable':
				await asClient('PATCH', at, { status: 'enabled' });
				said.enabled_ms.set(id, stage.time.now());
				break;
			case 'delete':
				await asClient('DELETE', at);
				break;
			case 'rotate':
				await asClient('POST', `${at}/rotate-secret`, {});
				break;
			case 'recover failed':
				again();
				await asClient('POST', `${at}/recover`, { since, mode: 'failed' });
				break;
			case 'recover missing':
				said.recovered.add(id);
				await asClient('POST', `${at}/recover`, { since, mode: 'missing' });
				break;
			case 'retry': {
				const [delivery] = mine;
				if (delivery === undefined) return;
				said.asked_again.add(delivery.id);
				const at_ms = stage.time.now();
				const answer = await asClient('POST', `/webhook-deliveries/${delivery.id}/retry`);
				if (answer?.status === 202) said.retries.push({ delivery_id: delivery.id, at_ms });
			}
		}
	}
	async function act(given: Act): Promise<void> {
		if ('endpoint' in given) return touch(given);
		switch (given.act) {
			case 'request':
				await Promise.all([request(given.visitor), given.twice && request(given.visitor)]);
				return;
			case 'leave a number': {
				const answer = await asVisitor(given.visitor, 'POST', '/widget/callback-leads', form(given.visitor));
				keep(said.leads, given.visitor, answer, 201);
				return;
			}
			case 'use the link':
				return followLink();
			case 'cancel own call': {
				const id = await firstCall();
				const cancel_secret = secrets.get(id ?? '');
				if (id !== null && cancel_secret !== undefined && cancel_secret !== '')
					await asVisitor(99, 'POST', `/widget/call-requests/${id}/cancel`, { cancel_secret });
				return;
			}
			case 'cancel by the API': {
				const id = await firstCall();
				if (id !== null) await asClient('POST', `/calls/${id}/cancel`);
				return;
			}
			case 'poll': {
				const id = await firstCall();
				if (id !== null) await asVisitor(98, 'GET', `/widget/call-requests/${id}/status`);
				return;
			}
			case 'spy':
				return spy();
			case 'replay dead letters':
				return replay();
			case 'create an endpoint':
				return createEndpoint();
			case 'change the team':
				return changeTheTeam(given);
			case 'change the rules':
				return changeTheRules(given);
		}
	}
	/** Commits an event and sends its messages, as the service does when a call changes. */
	async function publish(kind: EventKind): Promise<void> {
		const { store } = stage;
		const id = stage.nextId();
		const subject_id = stage.nextId();
		const nowMs = stage.time.now();
		const data = { id: subject_id };
		const created_at = new Date(nowMs).toISOString();
		const event = makeEvent({ id, workspace_id: workspace.id, subject_id, kind, sequence: 1, created_at, data });
		const { done } = stage.run('a change', async () => {
			const { writes, messages } = publication(event, await store.endpointsOf(workspace.id));
			await store.commit(writes);
			await ports.sqsQueues().send('deliveries', messages);
		});
		return done;
	}
	async function list(cursor: string | null = null): Promise<void> {
		const page = cursor === null ? '' : `&cursor=${cursor}`;
		const answer = await asClient('GET', `/webhook-deliveries?limit=100${page}`);
		const { data, next_cursor } = JSON.parse(answer?.body ?? '{"data":[]}') as DeliveryPage;
		for (const { id } of data) said.listed.add(id);
		if (next_cursor !== null) await list(next_cursor);
	}
	return {
		said,
		list,
		createEndpoint,
		publish,
		/** Starts the act. It continues in virtual time while other things happen. */
		perform(given: Act): void {
			const { at_ms, ...what } = given;
			stage.tell('act', `${Object.values(what).join(' ')}`);
			act(given).catch((error: unknown) => {
				if (!(error instanceof Died)) stage.broken('an act is answered', `${given.act}: ${String(error)}`);
			});
		},
	};
}

function readLetter(body: string): DeadLetterContent {
	const value: unknown = JSON.parse(body);
	const delivery = messageSchemas.retries.safeParse(value);
	if (delivery.success) return { kind: 'delivery', message: delivery.data };
	const leg = messageSchemas['hang-up-legs'].safeParse(value);
	if (leg.success) return { kind: 'leg', message: leg.data };
	const timer = messageSchemas['call-timers'].safeParse(value);
	if (timer.success) return { kind: 'call_timer', message: timer.data };
	const notice = messageSchemas['team-notices'].safeParse(value);
	return notice.success ? { kind: 'team_notice', message: notice.data } : { kind: 'unreadable' };
}
