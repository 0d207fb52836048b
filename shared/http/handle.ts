import type * as z from 'zod/mini';
import { WorkspaceKeyed } from '../contract/kernel/common.ts';
import type { Problem } from '../contract/kernel/problem.ts';
import type { Route } from '../contract/route.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store, Write } from '../ports/store.ts';
import type { Principal } from './authenticate.ts';
import { clientGate } from './client-gate.ts';
import { headersForUnknownWorkspace } from './cors.ts';
import { edge } from './edge.ts';
import { etagOf, matchesEtag } from './etag.ts';
import { earlierAnswer, type Keyed, keepAnswer, type OpenAnswered, readIdempotencyKey } from './idempotency.ts';
import { parseBody, parseQuery } from './parse.ts';
import { NOT_FOUND } from './refusals.ts';
import { type HttpRequest, type JsonBody, readJson } from './request.ts';
import { type HttpResponse, jsonResponse, problemResponse } from './response.ts';
import { originOf, type Poller, pollerByCall, type Visitor, visitorByKey } from './visitor.ts';

/** What every handler may touch; each adds what it needs. */
export type EdgeDeps = {
	readonly store: Store;
	readonly clock: Clock;
	readonly log: Log;
	/** Only where an answer holds a secret that a replay must show again. */
	readonly openSecret?: OpenAnswered;
};

/** A request that passed: authorised, parsed, and ready for the domain. */
export type Input<R extends Route, Caller> = {
	readonly request: HttpRequest;
	readonly params: z.infer<R['params']>;
	readonly query: z.infer<R['query']>;
	readonly body: z.infer<R['body']>;
	readonly caller: Caller;
	/** The writes that keep this answer for a replay: part of the transaction that makes the change. */
	readonly remember: (answer: z.input<R['response']>, sealed_secret?: string) => readonly Write[];
	/** Whether the request's If-Match, if it has one, names the resource that answers so. */
	readonly mayChange: (current: z.input<R['response']>) => boolean;
};

type Headers = Readonly<Record<string, string>>;
export type Reply<R extends Route> =
	| { readonly answer: z.input<R['response']>; readonly headers?: Headers }
	| { readonly problem: Problem };
type Spec<R extends Route, Caller, D extends EdgeDeps> = {
	readonly deps: () => D;
	readonly run: (input: Input<R, Caller>, deps: D) => Promise<Reply<R>>;
};

/** A route of the server API: API key, permission, limits, parsing, `run`, answer through its schema, one log line. */
export function handleForClient<R extends Route, D extends EdgeDeps>(route: R, spec: Spec<R, Principal, D>) {
	const deps = spec.deps();
	const admit = clientGate(route, deps);
	return edge(route.operation, deps.log, async (request) => {
		const who = await admit(request.headers['authorization']);
		if ('problem' in who) return problemResponse(who.problem, request);
		const { principal: caller, headers } = who;
		const json = readJson(request, route);
		if ('problem' in json) return problemResponse(withMore(json.problem, headers), request);
		return settle(route, spec, deps, { request, json, caller, workspace_id: caller.workspace_id, headers });
	});
}

/** A route of the widget: Origin and public workspace key instead of an API key, CORS on every answer. */
export function handleForVisitor<R extends Route, D extends EdgeDeps>(route: R, spec: Spec<R, Visitor, D>) {
	const deps = spec.deps();
	return edge(route.operation, deps.log, async (request) => {
		const found = originOf(request);
		if ('problem' in found) return problemResponse({ ...found.problem, headers: found.headers }, request);
		const json = readJson(request, route);
		const refuse = async (problem: Problem) =>
			problemResponse(withMore(problem, await headersForUnknownWorkspace(found.origin, deps.store)), request);
		if ('problem' in json) return refuse(json.problem);
		const key = presentedWorkspaceKey(route, request, json);
		if ('problem' in key) return refuse(key.problem);
		const admitted = await visitorByKey(key.workspace_key, request, deps.store);
		if ('problem' in admitted) return problemResponse({ ...admitted.problem, headers: admitted.headers }, request);
		const { visitor: caller, headers } = admitted;
		return settle(route, spec, deps, { request, json, caller, workspace_id: caller.workspace.id, headers });
	});
}

/** The widget's status route: the Origin must be one of the call's workspace. */
export function handleForPoller<R extends Route, D extends EdgeDeps>(route: R, spec: Spec<R, Poller, D>) {
	const deps = spec.deps();
	return edge(route.operation, deps.log, async (request) => {
		const admitted = await pollerByCall(request.params['id'] ?? '', request, deps.store);
		if ('problem' in admitted) return problemResponse({ ...admitted.problem, headers: admitted.headers }, request);
		const { poller: caller, headers } = admitted;
		const json = { raw: '', value: {} };
		return settle(route, spec, deps, { request, json, caller, workspace_id: caller.call.workspace_id, headers });
	});
}

/** The key that says whose widget this is: needed before the rest of the request can be judged. */
function presentedWorkspaceKey(
	route: Route,
	request: HttpRequest,
	json: JsonBody,
): { readonly workspace_key: string } | { readonly problem: Problem } {
	const parsed =
		route.method === 'GET' ? parseQuery(WorkspaceKeyed, request.query) : parseBody(WorkspaceKeyed, json.value);
	return 'problem' in parsed ? parsed : parsed.value;
}

type Admitted<Caller> = {
	readonly request: HttpRequest;
	readonly json: JsonBody;
	readonly caller: Caller;
	readonly workspace_id: string;
	readonly headers: Headers;
};

/** From here on both surfaces are the same: idempotency, parsing, the domain, the answer. */
async function settle<R extends Route, Caller, D extends EdgeDeps>(
	route: R,
	spec: Spec<R, Caller, D>,
	deps: D,
	admitted: Admitted<Caller>,
): Promise<HttpResponse> {
	const { request, json, workspace_id, headers } = admitted;
	const answered = (response: HttpResponse) => withHeaders(response, { ...headers, ...etag(route, response) });
	const refuse = (problem: Problem) => problemResponse(withMore(problem, headers), request);
	const key = route.idempotent ? request.headers['idempotency-key'] : undefined;
	const parts = { workspace_id, operation: route.operation, resource_id: request.params['id'] ?? null };
	const read = readIdempotencyKey(key, parts, json.raw);
	if ('problem' in read) return refuse(read.problem);
	const earlier = read.keyed === null ? null : await earlierAnswer(read.keyed, workspace_id, deps);
	if (earlier !== null) return 'problem' in earlier ? refuse(earlier.problem) : answered(earlier.response);

	const reply = await runParsed(route, spec, deps, admitted, read.keyed);
	if ('answer' in reply) return answered(jsonResponse(route.success, reply.body, reply.headers));
	// A twin may have won meanwhile, whatever it was that refused this one.
	const twin = read.keyed === null ? null : await earlierAnswer(read.keyed, workspace_id, deps);
	if (twin !== null) return 'problem' in twin ? refuse(twin.problem) : answered(twin.response);
	return refuse(reply.problem);
}

type Answered = { readonly answer: true; readonly body: string; readonly headers: Headers };

async function runParsed<R extends Route, Caller, D extends EdgeDeps>(
	route: R,
	spec: Spec<R, Caller, D>,
	deps: D,
	admitted: Admitted<Caller>,
	keyed: Keyed | null,
): Promise<Answered | { readonly problem: Problem }> {
	const { request, json, caller } = admitted;
	const params = parseBody<R['params']>(route.params, request.params);
	if ('problem' in params) return { problem: NOT_FOUND };
	const query = parseQuery<R['query']>(route.query, request.query);
	if ('problem' in query) return query;
	const body = parseBody<R['body']>(route.body, json.value);
	if ('problem' in body) return body;
	const write = (answer: z.input<R['response']>) => serialise(route, answer);
	const remember = (answer: z.input<R['response']>, sealed_secret?: string): readonly Write[] => {
		if (keyed === null) return [];
		const kept = { status: route.success, body: write(answer), sealed_secret: sealed_secret ?? null };
		return [keepAnswer(keyed, kept, deps.clock.now())];
	};
	const if_match = route.conditional ? request.headers['if-match'] : undefined;
	const mayChange = (current: z.input<R['response']>) =>
		if_match === undefined || matchesEtag(if_match, write(current));
	const input = { request, params: params.value, query: query.value, body: body.value, caller, remember, mayChange };
	const reply = await spec.run(input, deps);
	return 'answer' in reply ? { answer: true, body: write(reply.answer), headers: reply.headers ?? {} } : reply;
}

/** Answers go through their schema, so no undeclared field leaves. */
function serialise<R extends Route>(route: R, answer: z.input<R['response']>): string {
	const value = route.response.parse(answer);
	return value === null ? '' : JSON.stringify(value);
}

/** The ETag of an answer that shows one resource. */
function etag(route: Route, { body }: HttpResponse): Headers {
	return route.conditional === undefined || body === undefined ? {} : { etag: etagOf(body) };
}

/** A problem with what every answer of its surface carries; its own headers stay. */
function withMore(problem: Problem, headers: Headers): Problem {
	return { ...problem, headers: { ...headers, ...problem.headers } };
}

function withHeaders(response: HttpResponse, headers: Headers): HttpResponse {
	return { ...response, headers: { ...response.headers, ...headers } };
}
