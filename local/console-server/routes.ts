import * as z from 'zod/mini';
import type { OpsDeps } from '../../ops/connect.ts';
import type { ListedMail, Mail } from '../aws/mail.ts';
import type { Mailbox } from '../aws/mailbox.ts';
import type { PhoneNetwork } from '../phone-network/start.ts';
import { moveShop, readShop } from './demo-shop.ts';
import type { followLogs } from './function-logs.ts';
import type { Inbox } from './inbox.ts';
import { inspectEndpoints, inspectRequest, visitorNames } from './inspector.ts';
import type { ConsoleActions, ConsoleRoutes } from './server.ts';
import type { StackFacts } from './stack-facts.ts';

type Sources = {
	readonly inbox: Inbox;
	/** The default inbox. */
	readonly inbox_name: string;
	readonly phones: PhoneNetwork;
	readonly mailbox: Mailbox;
	readonly logs: ReturnType<typeof followLogs>;
	/** Null until the stack has started. */
	running(): Running | null;
};

/** A running stack: its facts, and the operator's use cases. */
export type Running = { readonly facts: StackFacts; readonly deps: OpsDeps };

/** The number of items that the pages show. They poll twice a second, and the stack may have run for days. */
const SHOWN = { calls: 50, rings: 1000, webhooks: 300, mails: 50 } as const;

/** Calls the API as a server of the demo workspace would. */
async function ask({ base_url, api_key }: StackFacts, path: string, method = 'GET', body: object | null = null) {
	const response = await fetch(`${base_url}${path}`, {
		method,
		headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
		body: body === null ? null : JSON.stringify(body),
		signal: AbortSignal.timeout(5000),
	});
	const answer: unknown = await response.json();
	return { status: response.status, body: answer };
}

/** The newest items of the API's list at `path`. */
async function listed(running: Running | null, path: string): Promise<unknown> {
	return running === null ? { data: [] } : (await ask(running.facts, `${path}limit=${SHOWN.calls}`)).body;
}

const Listed = z.object({ data: z.array(z.object({ id: z.string() })) });
const idsIn = (list: unknown): readonly string[] => (Listed.safeParse(list).data?.data ?? []).map(({ id }) => id);

/** A mail in the list, without its HTML, which has its own frame. */
function withoutHtml({ html, ...mail }: Mail): ListedMail {
	return { ...mail, has_html: html !== null };
}

/** The JSON routes of the console's pages. */
export function consoleRoutes({ inbox, inbox_name, phones, mailbox, logs, running }: Sources): ConsoleRoutes {
	const namesOf = visitorNames();
	return {
		stack: () => running()?.facts ?? null,
		logs: (after) => logs.after(Number(after) || 0),
		shop: async () => {
			const up = running();
			return up === null ? null : readShop(up.facts.workspace_id, up.deps);
		},
		endpoints: async () => {
			const up = running();
			return up === null ? [] : inspectEndpoints(up.facts.workspace_id, up.deps);
		},
		/** The newest deliveries to one endpoint. */
		deliveries: (id) => listed(running(), `/webhook-deliveries?endpoint_id=${encodeURIComponent(id)}&`),
		/** One delivery with its attempts and their request. */
		delivery: async (id) => {
			const up = running();
			if (up === null) return null;
			const path = `/webhook-deliveries/${encodeURIComponent(id)}`;
			const [answer, request] = await Promise.all([
				ask(up.facts, path),
				inspectRequest(up.facts.workspace_id, id, up.deps),
			]);
			return { delivery: answer.body, request };
		},
		phones: () => phones.log(),
		inbox: (name) => inbox.received(name || inbox_name),
		mailbox: () => mailbox.mails(),
		/** Everything in one response. Lists of the API are newest first, the others newest last. */
		recent: async () => {
			const up = running();
			const [calls, leads] = await Promise.all([listed(up, '/calls?'), listed(up, '/callback-leads?')]);
			const names = up === null ? {} : await namesOf(idsIn(calls), up.deps);
			return {
				stack: up?.facts ?? null,
				calls,
				leads,
				names,
				rings: phones.log().slice(-SHOWN.rings),
				webhooks: inbox.received(inbox_name).slice(-SHOWN.webhooks),
				mails: mailbox.mails().slice(-SHOWN.mails).map(withoutHtml),
			};
		},
	};
}

const STARTING = { status: 503, body: { title: 'The stack is still starting.' } };
const id = encodeURIComponent;

/** The actions of its buttons. */
export function consoleActions(
	running: () => Running | null,
	/** Called with each new secret and the URL that it signs for. */
	rotated: (url: string, secret: string) => void,
): ConsoleActions {
	const act = async (path: string, method: string, body: object | null = null) => {
		const up = running();
		return up === null ? STARTING : ask(up.facts, path, method, body);
	};
	return {
		'hang-up': (call) => act(`/calls/${id(call)}/cancel`, 'POST'),
		'mark-handled': (lead) => act(`/callback-leads/${id(lead)}`, 'PATCH', { status: 'handled' }),
		resend: (delivery) => act(`/webhook-deliveries/${id(delivery)}/retry`, 'POST'),
		'test-endpoint': (endpoint) => act(`/webhook-endpoints/${id(endpoint)}/test`, 'POST', {}),
		enable: (endpoint) => act(`/webhook-endpoints/${id(endpoint)}`, 'PATCH', { status: 'enabled', resume: 'all' }),
		disable: (endpoint) => act(`/webhook-endpoints/${id(endpoint)}`, 'PATCH', { status: 'disabled' }),
		rotate: async (endpoint) => {
			const answer = await act(`/webhook-endpoints/${id(endpoint)}/rotate-secret`, 'POST', {});
			const { data } = WithSecret.safeParse(answer.body);
			if (data !== undefined) rotated(data.data.url, data.data.secret);
			return answer;
		},
		subscribe: (_, body) => act('/webhook-endpoints', 'POST', Subscription.safeParse(body).data ?? {}),
		shop: async (_, body) => {
			const up = running();
			return up === null ? STARTING : moveShop(up.facts.workspace_id, body, up.deps);
		},
	};
}

const WithSecret = z.object({ data: z.object({ url: z.string(), secret: z.string() }) });
const Subscription = z.object({ url: z.string(), events: z.array(z.string()), description: z.string() });
