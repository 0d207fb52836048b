import { writeFileSync } from 'node:fs';
import type { Attempt, Delivery } from '../shared/domain/webhooks/delivery.ts';
import {
	type DeliveryInput,
	decideDelivery,
	LEASE_MS,
	newDelivery,
} from '../shared/domain/webhooks/delivery-machine.ts';
import {
	decideEndpoint,
	type EndpointDecision,
	type EndpointInput,
	newEndpoint,
} from '../shared/domain/webhooks/endpoint-machine.ts';
import { makeEvent } from '../shared/domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../shared/domain/webhooks/webhook-endpoint.ts';

// Writes docs/delivery-states.md and docs/endpoint-states.md: it tries every input in every state, and the pages show the
// machine's decisions. A test compares the pages with this.

const NOW = Date.parse('2026-01-01T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();
const code = (text: string): string => `\`${text}\``;

type Row = readonly string[];
function table(head: Row, rows: readonly Row[]): string {
	const line = (cells: Row): string => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** One arrow of a machine: the state that follows an input; null: the input has no effect. */
type Arrow = { readonly from: string; readonly input: string; readonly to: string | null };

function page(given: {
	readonly title: string;
	readonly about: string;
	readonly states: Readonly<Record<string, string>>;
	readonly inputs: Readonly<Record<string, string>>;
	readonly arrows: readonly Arrow[];
	readonly first: readonly string[];
}): string {
	const { title, about, states, inputs, arrows, first } = given;
	const id = (state: string): string => state.replaceAll(/[^a-z]+/g, '_');
	const moves = arrows.flatMap(({ from, input, to }) => (to === null || to === from ? [] : [{ from, input, to }]));
	const pairs = Map.groupBy(moves, ({ from, to }) => `${id(from)} --> ${id(to)}`);
	const names = Object.keys(states).filter((state) => id(state) !== state);
	const lines = [
		...names.map((state) => `    ${id(state)}: ${state}`),
		...first.map((state) => `    [*] --> ${id(state)}`),
		...[...pairs].map(
			([pair, of]) =>
				`    ${pair}: ${of
					.map(({ input }) => input)
					.join(', ')
					.replaceAll('`', '')}`,
		),
	];
	const inputNames = Object.keys(inputs);
	const cell = (from: string, input: string): string => {
		const to = arrows.find((arrow) => arrow.from === from && arrow.input === input)?.to ?? null;
		if (to === null) return '';
		return to === from ? 'stays' : to;
	};
	return `# ${title}

Written by \`node build/machine-states.ts\` from the code that decides; edit that, not this. ${about}

## States

${table(['state', 'meaning'], Object.entries(states))}

\`\`\`mermaid
stateDiagram-v2
${lines.join('\n')}
\`\`\`

## Inputs

${table(['input', 'meaning'], Object.entries(inputs))}

## What an input makes of a state

Empty: nothing is written. "stays": the record changes, the state does not.

${table(
	['', ...inputNames],
	Object.keys(states).map((from) => [from, ...inputNames.map((input) => cell(from, input))]),
)}
`;
}

const ENDPOINT = newEndpoint(
	{
		id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
		workspace_id: '01ARZ3NDEKTSV4RRFFQ69G5FAW',
		url: 'https://hooks.example/',
		description: null,
		events: ['call.completed'],
	},
	'',
	NOW - 100 * 24 * HOUR_MS,
);
const EVENT = makeEvent({
	id: '01ARZ3NDEKTSV4RRFFQ69G5FAX',
	workspace_id: ENDPOINT.workspace_id,
	subject_id: '01ARZ3NDEKTSV4RRFFQ69G5FAY',
	kind: 'call.completed',
	sequence: 1,
	created_at: iso(NOW),
	data: {},
});
const ATTEMPT: Attempt = {
	...{ number: 1, started_at: iso(NOW), response_status: 200, error: null, hint: null, response_body: '' },
	timings: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null, total_ms: 1 },
};

const deliveryStates = {
	'pending, due': 'an attempt is to be made now, or as soon as the breaker lets it',
	'pending, leased': `a process attempts it, for at most ${LEASE_MS / 1000} s`,
	'pending, waiting': 'its next attempt comes later, at the time of the schedule or the breaker',
	succeeded: 'the receiver answered 2xx',
	failed: 'the schedule has no more attempts, or the receiver answered 410',
	held: 'its endpoint is disabled',
	canceled: 'its endpoint was deleted',
} as const;
type DeliveryState = keyof typeof deliveryStates;

function stateOfDelivery({ status, lease_until, next_attempt_at }: Delivery): DeliveryState {
	if (status !== 'pending') return status;
	if (lease_until !== null && Date.parse(lease_until) > NOW) return 'pending, leased';
	return Date.parse(next_attempt_at ?? '') > NOW ? 'pending, waiting' : 'pending, due';
}

export function deliveryStatesDocument(): string {
	const due = newDelivery(EVENT, ENDPOINT, NOW);
	const over = { ...due, next_attempt_at: null, due_at: null } as const;
	const deliveries: Readonly<Record<DeliveryState, Delivery>> = {
		'pending, due': { ...due, due_at: iso(NOW) },
		'pending, leased': { ...due, lease_until: iso(NOW + LEASE_MS), due_at: iso(NOW) },
		'pending, waiting': { ...due, next_attempt_at: iso(NOW + HOUR_MS), due_at: iso(NOW) },
		succeeded: { ...over, status: 'succeeded' },
		failed: { ...over, status: 'failed', due_at: iso(NOW) },
		held: { ...over, status: 'held' },
		canceled: { ...over, status: 'canceled' },
	};
	/** Sent by the process that holds the lease; without one, by a process whose lease has expired. */
	const attempted = (outcome: Extract<DeliveryInput, { readonly input: 'attempted' }>['outcome'], of: Delivery) => {
		const claim = { ...of, lease_until: of.lease_until ?? iso(NOW - 1) };
		return { input: 'attempted', attempt: ATTEMPT, outcome, claim } as const;
	};
	const at_ms = NOW + HOUR_MS;
	const inputs: Readonly<Record<string, readonly [string, (of: Delivery) => DeliveryInput]>> = {
		claim: ['a process leases it for one attempt', () => ({ input: 'claim' })],
		wait: ['it has to wait for the breaker of its endpoint', () => ({ input: 'wait', at_ms })],
		succeeded: ['the attempt was answered 2xx', (of) => attempted({ outcome: 'succeeded' }, of)],
		retry: ['the attempt failed, and the schedule has another', (of) => attempted({ outcome: 'retry', at_ms }, of)],
		exhausted: ['the last attempt of the schedule failed', (of) => attempted({ outcome: 'exhausted' }, of)],
		gone: ['the attempt was answered 410', (of) => attempted({ outcome: 'gone' }, of)],
		disabled: ['it is due, but its endpoint is disabled', () => ({ input: 'endpoint_disabled' })],
		deleted: ['it is due, but its endpoint is deleted', () => ({ input: 'endpoint_deleted' })],
		start_over: [
			'a recovery, a redrive, an enabled endpoint or a closing breaker sends it again',
			() => ({ input: 'start_over', at_ms }),
		],
		ask: [
			'a person asks for it; while the breaker is open, also for one that is due',
			() => ({ input: 'ask', breaker: 'closed' }),
		],
		sweep: ['the sweep looks at what is due', () => ({ input: 'sweep' })],
	};
	const arrows = Object.entries(deliveries).flatMap(([from, delivery]) =>
		Object.entries(inputs).map(([input, [, made]]): Arrow => {
			const after = decideDelivery(delivery, made(delivery), NOW);
			return { from, input, to: after === null ? null : stateOfDelivery(after) };
		}),
	);
	return page({
		title: 'States of a delivery',
		about:
			'A delivery is one event for one endpoint ([delivery-machine.ts](../shared/domain/webhooks/delivery-machine.ts)).\n' +
			'Starting it over makes a new generation; reports of an older one change nothing.',
		states: deliveryStates,
		inputs: Object.fromEntries(Object.entries(inputs).map(([name, [words]]) => [code(name), words])),
		arrows: arrows.map((arrow) => ({ ...arrow, input: code(arrow.input) })),
		first: ['pending, due', 'held'],
	});
}

const endpointStates = {
	healthy: 'enabled; nothing has failed since the last success',
	failing: 'enabled; attempts fail, and deliveries continue',
	'breaker open': 'enabled; only probes are sent, one every 13 s',
	disabled: 'nothing is sent; deliveries are held',
} as const;
type EndpointState = keyof typeof endpointStates;

function stateOfEndpoint({ status, health }: WebhookEndpoint): EndpointState {
	if (status === 'disabled') return 'disabled';
	if (health.held_until !== null) return 'breaker open';
	return health.failing_since === null ? 'healthy' : 'failing';
}

export function endpointStatesDocument(): string {
	const attempted = (sign: 'succeeded' | 'refused' | 'unreachable' | 'gone', at_ms: number): EndpointInput => ({
		...{ input: 'attempted', sign, started_ms: at_ms },
		delivery: { id: 'asked for', asked_for: true },
	});
	/** The endpoint after this many failures, one an hour, until now. */
	const after = (failures: number, from: WebhookEndpoint): WebhookEndpoint =>
		Array.from({ length: failures }, (_, n) => NOW - (failures - n) * HOUR_MS).reduce<WebhookEndpoint>(
			(endpoint, at_ms) => decideEndpoint(endpoint, attempted('refused', at_ms), at_ms)?.endpoint ?? endpoint,
			from,
		);
	const endpoints: Readonly<Record<EndpointState, WebhookEndpoint>> = {
		healthy: ENDPOINT,
		failing: after(4, ENDPOINT),
		'breaker open': after(120, ENDPOINT),
		disabled: { ...ENDPOINT, status: 'disabled', disabled_reason: 'manual' },
	};
	const edit = (status: WebhookEndpoint['status'], resumes: boolean): EndpointInput => ({
		...{ input: 'edit', edit: { status } },
		resumes,
	});
	const inputs: Readonly<Record<string, readonly [string, EndpointInput]>> = {
		succeeded: ['an attempt was answered 2xx', attempted('succeeded', NOW)],
		failed: [
			'an attempt failed: here the fifth in a row, or the one after five days that disables it',
			attempted('refused', NOW),
		],
		gone: ['an attempt was answered 410', attempted('gone', NOW)],
		try_again: ['a person has it tried again', { input: 'try_again' }],
		enable: ['its owner enables it', edit('enabled', false)],
		resume: ['its owner enables it, and what waits is to go', edit('enabled', true)],
		disable: ['its owner disables it', edit('disabled', false)],
	};
	const to = (decision: EndpointDecision | null) => (decision === null ? null : stateOfEndpoint(decision.endpoint));
	const arrows = Object.entries(endpoints).flatMap(([from, endpoint]) =>
		Object.entries(inputs).map(
			([input, [, given]]): Arrow => ({ from, input: code(input), to: to(decideEndpoint(endpoint, given, NOW)) }),
		),
	);
	return page({
		title: 'States of a webhook endpoint',
		about:
			'Its status and its breaker ([endpoint-machine.ts](../shared/domain/webhooks/endpoint-machine.ts), ' +
			'[endpoint-breaker.ts](../shared/domain/webhooks/endpoint-breaker.ts)).',
		states: endpointStates,
		inputs: Object.fromEntries(Object.entries(inputs).map(([name, [words]]) => [code(name), words])),
		arrows,
		first: ['healthy'],
	});
}

if (import.meta.main) {
	const write = (name: string, text: string) => writeFileSync(new URL(`../docs/${name}`, import.meta.url), text);
	write('delivery-states.md', deliveryStatesDocument());
	write('endpoint-states.md', endpointStatesDocument());
}
