import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Used } from '../../../local/aws/aws-proxy.ts';
import type { Stack } from '../../../local/stack.ts';
import type { OpsDeps } from '../../../ops/connect.ts';
import { isRead, isWrite, type Use, usageOf } from '../aws/usage.ts';
import { bearer, type Customer, newCustomer, operatorOf } from '../webhooks/customers.ts';
import { call, eventually, visitorBody } from './api.ts';
import { testStack } from './stack.ts';

// Counts the AWS usage of a call. One run of the local stack sends all its requests to AWS through a proxy in front of the
// stand-ins, and the proxy counts them.

/** The roles of the functions that work for a call: the widget's routes, the provider's routes and the workers. */
const OF_A_CALL =
	/(getwidgetconfig|requestcall|getcallrequeststatus|instructleg|receivelegcallback|dialleg|hangupleg|calltimer|deliverwebhook)Role/i;
const POLL = /getcallrequeststatus/i;

const QUEUES = ['diallegs', 'hanguplegs', 'calltimers', 'deliveries'] as const;
export type Queue = (typeof QUEUES)[number];

/** The billed usage of one call. Only `read_by_poll` is about the widget's polls. */
export type CallUsage = {
	/** DynamoDB's write units. */
	readonly written: number;
	readonly read: number;
	/** Read units of one poll by the widget. */
	readonly read_by_poll: number;
	/** How many requests sent messages, and how many messages of each kind they sent. */
	readonly sends: number;
	readonly messages: Readonly<Record<Queue, number>>;
	/** How many phone numbers KMS decrypted. */
	readonly openings: number;
	readonly log_bytes: number;
};

const sumOf = (uses: readonly Use[]): number => uses.reduce((sum, { amount }) => sum + amount, 0);

function usage(uses: readonly Use[], polls: number, lines: readonly string[]): CallUsage {
	const { polling = [], working = [] } = Object.groupBy(uses, ({ role }) => (POLL.test(role) ? 'polling' : 'working'));
	const sends = working.filter(({ operation }) => operation.startsWith('SendMessage'));
	const sentTo = (queue: Queue): number => sumOf(sends.filter(({ on }) => on.startsWith(`Queues${queue}`)));
	return {
		written: sumOf(uses.filter(isWrite)),
		read: sumOf(working.filter(isRead)),
		read_by_poll: sumOf(polling.filter(isRead)) / polls,
		sends: sends.length,
		messages: Object.fromEntries(QUEUES.map((queue) => [queue, sentTo(queue)])) as CallUsage['messages'],
		openings: working.filter(({ on }) => on.startsWith('KeysNumber')).length,
		log_bytes: lines.filter((line) => !/"operation":"(list|create)-webhook/.test(line)).join('\n').length,
	};
}

/** All lines in the functions' logs. */
function logLines({ state_dir }: Stack): readonly string[] {
	const folder = join(state_dir, 'logs');
	return readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean));
}

/** Requests the widget's configuration, as the widget on the customer's page does when it opens. */
const openWidget = ({ base_url }: Stack, { workspace_key, allowed_origin }: Customer) =>
	call(base_url, `/widget/config?workspace_key=${workspace_key}`, { headers: { origin: allowed_origin } });

/** Places one call in which the visitor talks, and waits until no work is left for it. Returns how often the widget polled. */
async function place(stack: Stack, ops: OpsDeps, customer: Customer): Promise<number> {
	const headers = { origin: customer.allowed_origin };
	await openWidget(stack, customer);
	const asked = await call(stack.base_url, '/widget/call-requests', { body: visitorBody(customer), headers });
	const { id } = asked.json.data;
	let polls = 0;
	await eventually('the call has ended', async () => {
		polls += 1;
		const { json } = await call(stack.base_url, `/widget/call-requests/${id}/status`, { headers });
		return json.data.status === 'completed' ? true : null;
	});
	await eventually('the call has nothing left to do', async () =>
		(await ops.store.get('call', { id }))?.due_at === null ? true : null,
	);
	await eventually('its deliveries have ended', async () => {
		const request = { headers: bearer(customer.api_key) };
		const { json } = await call(stack.base_url, '/webhook-deliveries?status=pending', request);
		return json.data.length === 0 ? true : null;
	});
	return polls;
}

/** Counts a call whose four events go to one webhook endpoint, and a call of a workspace without endpoints. */
export async function countUsage(): Promise<{ readonly withOne: CallUsage; readonly without: CallUsage }> {
	const uses: Use[] = [];
	const used: Used = ({ name }, ...use) => {
		if (OF_A_CALL.test(name)) uses.push(usageOf(name, ...use));
	};
	const stack = await testStack({ speed: 5 }, { used });
	const ops = await operatorOf(stack);
	const count = async (customer: Customer): Promise<CallUsage> => {
		// On each day, the first request of a page also records that the site uses the widget. This write is no part of a call,
		// so it happens before the count begins.
		await openWidget(stack, customer);
		const before = new Set(logLines(stack));
		uses.length = 0;
		const polls = await place(stack, ops, customer);
		const lines = logLines(stack).filter((line) => !before.has(line));
		return usage([...uses], polls, lines);
	};
	try {
		const subscriber = await newCustomer(ops);
		const events = ['call.requested', 'call.ringing', 'call.connected', 'call.completed'];
		const body = { url: stack.inbox_url, events };
		await call(stack.base_url, '/webhook-endpoints', { body, headers: bearer(subscriber.api_key) });
		return { withOne: await count(subscriber), without: await count(await newCustomer(ops)) };
	} finally {
		await stack.stop();
	}
}
