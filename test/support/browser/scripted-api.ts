import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type * as z from 'zod/mini';
import { numberGuides } from '../../../shared/adapters/numbering-plans/number-guides.ts';
import { type ProblemCode, problems, problemType } from '../../../shared/contract/kernel/problem.ts';
import {
	CallRequestResponse,
	CallRequestStatusResponse,
	CancelOwnCall,
	LeadCreatedResponse,
	WidgetConfigResponse,
	WidgetLeadRequest,
	WidgetRequest,
} from '../../../shared/contract/widget/widget.ts';
import type { CallStatus, FailureReason } from '../../../shared/domain/calls/call.ts';
import { preflightHeaders } from '../../../shared/http/edge/cors.ts';
import { guidesFor } from '../../../shared/use-cases/widget/guides-for.ts';
import { listen } from '../listen.ts';

type Operation = 'config' | 'call' | 'lead' | 'status' | 'cancel' | 'preflight';
/** A request as the scripted service received it. */
export type Seen = {
	readonly operation: Operation;
	readonly key: string | undefined;
	readonly cookie: string | undefined;
	/** The body of a request for a call or a callback. Null for every other request. */
	readonly body: z.infer<typeof WidgetLeadRequest> | null;
	/** The secret with which the visitor cancels the call. Null for every other request. */
	readonly cancel_secret: string | null;
	/** The workspace key in the URL of the request. Empty if the URL has none. */
	readonly workspace_key: string;
};
/** What replaces the usual response: a problem, an aborted connection, or no response until the test calls `release`. */
export type Hitch =
	| { readonly code: ProblemCode; readonly extra?: Record<string, unknown>; readonly retry_after?: number }
	| 'sever'
	| 'hold';
/** The state of the scripted service, which the test may change at any time. */
export type Script = {
	config: z.infer<typeof WidgetConfigResponse>['data'];
	status: CallStatus;
	failure_reason: FailureReason | null;
	visitor_phone_rings: boolean;
	connected_for_ms: number | null;
	duration_seconds: number | null;
	poll_after_ms: number;
	/** How many seconds a browser may reuse the configuration. */
	fresh_seconds: number;
	/** The origins that the service accepts. Null for every origin. */
	origins: readonly string[] | null;
	/**
	 * What the service responds for some workspaces, by key: fields that replace fields of `config`, a problem that refuses the
	 * request, or `silent` for no response. All other keys get `config`.
	 */
	workspaces: Readonly<Record<string, Partial<Script['config']> | ProblemCode | 'silent'>>;
};

/** The consent texts of the scripted service. */
const CONSENT_TEXTS = {
	language: 'en',
	call: { id: 'en-call-1', text: 'I agree that Acme calls me.' },
	lead: { id: 'en-lead-1', text: 'I agree that Acme calls me back later.' },
} as const;
const ID = '01K9ZZZZZZZZZZZZZZZZZZZZZZ';
/** The secret with which the visitor may cancel the call. */
export const CANCEL_SECRET = 'only-this-browser-knows';

function operationOf({ method, url = '' }: IncomingMessage): Operation {
	if (method === 'OPTIONS') return 'preflight';
	if (url.startsWith('/v1/widget/config?')) return 'config';
	if (method === 'POST' && url === '/v1/widget/call-requests') return 'call';
	if (method === 'POST' && url === '/v1/widget/callback-leads') return 'lead';
	if (url === `/v1/widget/call-requests/${ID}/status`) return 'status';
	if (method === 'POST' && url === `/v1/widget/call-requests/${ID}/cancel`) return 'cancel';
	throw new Error(`the widget asked for ${method} ${url}`);
}

async function read(request: IncomingMessage): Promise<Seen> {
	let text = '';
	for await (const chunk of request) text += chunk;
	const operation = operationOf(request);
	const json: unknown = text === '' ? null : JSON.parse(text);
	return {
		operation,
		key: request.headers['idempotency-key']?.toString(),
		cookie: request.headers.cookie,
		body:
			json === null || operation === 'cancel'
				? null
				: (operation === 'lead' ? WidgetLeadRequest : WidgetRequest).parse(json),
		cancel_secret: operation === 'cancel' ? CancelOwnCall.parse(json).cancel_secret : null,
		workspace_key: /workspace_key=([\w-]*)/.exec(request.url ?? '')?.[1] ?? '',
	};
}

function send(response: ServerResponse, status: number, body: unknown): void {
	const type = status < 400 ? 'application/json' : 'application/problem+json';
	if (!response.hasHeader('cache-control')) response.setHeader('cache-control', 'no-store');
	response.writeHead(status, { 'content-type': type });
	response.end(JSON.stringify(body));
}

function refuse(response: ServerResponse, { code, extra, retry_after }: Exclude<Hitch, string>): void {
	const { status, title } = problems[code];
	if (retry_after !== undefined) response.setHeader('retry-after', `${retry_after}`);
	send(response, status, { type: problemType(code), title, status, code, request_id: 'r', ...extra });
}

/**
 * Sends the first byte of a response and then breaks the connection. Without this byte, a browser would retry the request by
 * itself.
 */
function sever(response: ServerResponse): void {
	response.writeHead(200, { 'content-length': 100 });
	response.write('{', () => response.destroy());
}

function answer({ operation, workspace_key }: Seen, script: Script, response: ServerResponse): void {
	if (operation === 'cancel') Object.assign(script, { status: 'canceled', failure_reason: 'canceled' });
	const { config, status, poll_after_ms, failure_reason, visitor_phone_rings, connected_for_ms, duration_seconds } =
		script;
	const over = status === 'completed' || status === 'failed' || status === 'canceled';
	const call = { id: ID, status, poll_after_ms: over ? null : poll_after_ms };
	const standing = { ...call, failure_reason, visitor_phone_rings, connected_for_ms, duration_seconds };
	if (operation === 'config') {
		const own = script.workspaces[workspace_key] ?? {};
		if (own === 'silent') return;
		if (typeof own === 'string') {
			refuse(response, { code: own });
			return;
		}
		response.setHeader('cache-control', `public, max-age=${script.fresh_seconds}`);
		send(response, 200, WidgetConfigResponse.parse({ data: { ...config, ...own } }));
	}
	if (operation === 'call') {
		response.setHeader('cancel-secret', CANCEL_SECRET);
		send(response, 202, CallRequestResponse.parse({ data: call }));
	}
	if (operation === 'status' || operation === 'cancel') {
		send(response, 200, CallRequestStatusResponse.parse({ data: standing }));
	}
	if (operation === 'lead') send(response, 201, LeadCreatedResponse.parse({ data: { id: ID, status: 'pending' } }));
}

/** The fields of a configuration that say which regions the workspace calls. The first region is the workspace's own. */
export function calling(...regions: readonly [string, ...string[]]) {
	const rules = { region: regions[0], allowed_regions: regions, refused_prefixes: [] };
	return { regions, numbers: guidesFor(rules, numberGuides) };
}

const without = (hitches: readonly Hitch[], unwanted: Hitch): Hitch[] => hitches.filter((hitch) => hitch !== unwanted);

/**
 * The widget's routes over real HTTP. Requests and responses follow the API's schemas. The test sets the next response and every
 * failure.
 */
export async function startScriptedApi(address?: string) {
	const script: Script = {
		config: {
			name: 'Acme',
			open: true,
			next_open_at: null,
			opens_in_ms: null,
			time_zone: 'America/New_York',
			unavailable: null,
			consent_text: 'What a page of former days shows.',
			consent_texts: CONSENT_TEXTS,
			privacy_url: null,
			look: { accent: null, greeting: null },
			caller_number: '+13125550101',
			...calling('US'),
		},
		status: 'requested',
		failure_reason: null,
		visitor_phone_rings: false,
		connected_for_ms: null,
		duration_seconds: null,
		poll_after_ms: 20,
		fresh_seconds: 0,
		origins: null,
		workspaces: {},
	};
	const seen: Seen[] = [];
	const held: (() => void)[] = [];
	const hitches = new Map<Operation, Hitch[]>();

	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const what = await read(request);
		const { operation } = what;
		const { origin } = request.headers;
		seen.push(what);
		response.setHeader('vary', 'Origin');
		if (!origin || (script.origins && !script.origins.includes(origin))) {
			refuse(response, { code: 'origin_not_allowed' });
			return;
		}
		response.setHeader('access-control-allow-origin', origin);
		response.setHeader(
			'access-control-expose-headers',
			'retry-after, idempotency-replayed, x-request-id, cancel-secret',
		);
		const hitch = hitches.get(operation)?.shift();
		if (hitch === 'sever') sever(response);
		else if (hitch === 'hold') held.push(() => answer(what, script, response));
		else if (hitch) refuse(response, hitch);
		else if (operation === 'preflight') {
			const requested = request.headers['access-control-request-headers']?.toString();
			response.writeHead(204, preflightHeaders(origin, requested)).end();
		} else answer(what, script, response);
	}

	const listening = await listen(
		createServer((request, response) => void serve(request, response)),
		address,
	);
	return {
		...listening,
		script,
		/** Sets what replaces the usual responses to the next requests of an operation: one entry for each request. */
		hitch: (operation: Operation, ...next: Hitch[]) =>
			void hitches.set(operation, [...(hitches.get(operation) ?? []), ...next]),
		holding: () => held.length,
		/** Sends the responses that were held back. Later responses are not held back. */
		release(): void {
			for (const [operation, next] of hitches) hitches.set(operation, without(next, 'hold'));
			for (const go of held.splice(0)) go();
		},
		seen: (operation: Operation): readonly Seen[] => seen.filter((request) => request.operation === operation),
	};
}
