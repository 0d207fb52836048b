import * as z from 'zod/mini';
import { moveShop, readShop } from './demo-shop.ts';
import { inspectEndpoints, inspectRequest } from './inspector.ts';
import { listRoutes } from './list-routes.ts';
import type { ConsoleActions, ConsoleRoutes } from './server.ts';
import type { Running, Sources } from './sources.ts';
import type { StackFacts } from './stack-facts.ts';

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

/** The JSON routes of the console's pages. */
export function consoleRoutes(sources: Sources): ConsoleRoutes {
	const { inbox, inbox_name, phones, mailbox, logs, running } = sources;
	return {
		...listRoutes(sources),
		logs: (after) => logs.after(Number(after) || 0),
		shop: async () => {
			const up = running();
			return up === null ? null : readShop(up.facts.workspace_id, up.deps);
		},
		endpoints: async () => {
			const up = running();
			return up === null ? [] : inspectEndpoints(up.facts.workspace_id, up.deps);
		},
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
		enable: (endpoint) => act(`/webhook-endpoints/${id(endpoint)}`, 'PATCH', { status: 'enabled' }),
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
