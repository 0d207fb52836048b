import type { Route } from '../../contract/route.ts';
import type { TimeLimit } from '../../ports/clock.ts';
import type { Ports } from '../../ports/ports.ts';
import { admitClient, type Client, clientGate } from './admit-client.ts';
import { admitPoller, type Poller } from './admit-poller.ts';
import { admitVisitor, type Visitor } from './admit-visitor.ts';
import type { RequestContext } from './edge.ts';
import { type EdgeHandler, edge } from './edge.ts';
import { type RestoreSecret, requestKey, respondOnce } from './idempotency.ts';
import { GUARDED, problemPage } from './page.ts';
import { type PageRequest, readForm } from './read-form.ts';
import { Refused } from './refusals.ts';
import { type HttpRequest, parseInput, readJsonBody } from './request.ts';
import { type ChangeSpec, type Input, type RunRead, respondToChange, respondToRead } from './respond.ts';
import { type HttpResponse, type PageResult, problemResponse } from './response.ts';

export type EdgeDeps = Pick<Ports, 'clock' | 'log' | 'store'> & {
	/** If `time_limit` is absent, a request may take any time. */
	readonly time_limit?: TimeLimit;
	/** The address of the documentation. Null or absent if the documentation is not served. */
	readonly docs_url?: string | null;
	/**
	 * Puts the secret of the response into the response to a repeated request. Only routes whose response contains a secret have
	 * this function.
	 */
	readonly restoreSecret?: RestoreSecret;
};

type DocsDeps = Pick<EdgeDeps, 'log' | 'time_limit' | 'docs_url'>;

/**
 * The first steps of every route of one surface (clients, visitors or pollers). They admit the caller and read the input for
 * `respond`.
 */
type SurfaceSteps<Caller> = <R extends Route>(
	route: R,
	deps: EdgeDeps,
) => (exchange: RequestContext, respond: (input: Input<R, Caller>) => Promise<HttpResponse>) => Promise<HttpResponse>;

/** A route of the server API, for clients with an API key. */
export const forClients: SurfaceSteps<Client> = (route, deps) => {
	const gate = clientGate(route, deps);
	return async (exchange, respond) => {
		const { request } = exchange;
		const caller = await admitClient(gate, exchange);
		const json = readJsonBody(route, request);
		const key = requestKey(route, request, caller.workspace_id, json);
		return respondOnce(route, key, caller.workspace_id, deps, async () =>
			respond({ ...parseInput(route, request, json), caller, request, key }),
		);
	};
};

/**
 * A route of the widget, for pages of the sites that a workspace allows. Responses to an allowed origin have CORS headers,
 * even if they are refusals.
 */
export const forVisitors: SurfaceSteps<Visitor> = (route, deps) => async (exchange, respond) => {
	const { request } = exchange;
	const { caller, json } = await admitVisitor(route, exchange, deps.store);
	const key = requestKey(route, request, caller.workspace.id, json);
	return respondOnce(route, key, caller.workspace.id, deps, async () =>
		respond({ ...parseInput(route, request, json), caller, request, key }),
	);
};

/**
 * A route of the widget, for the page that has requested the call. None of these routes is idempotent, so they have no
 * stored responses.
 */
export const forPollers: SurfaceSteps<Poller> = (route, deps) => async (exchange, respond) => {
	const { request } = exchange;
	const caller = await admitPoller(exchange, deps.store);
	const json = readJsonBody(route, request);
	return respond({ ...parseInput(route, request, json), caller, request, key: null });
};

/** A route that answers with what `run` returns. */
export function handle<R extends Route, Caller, D extends EdgeDeps>(
	surface: SurfaceSteps<Caller>,
	route: R,
	spec: { readonly deps: () => D; readonly run: RunRead<R, Caller, D> },
): EdgeHandler {
	const deps = spec.deps();
	const admit = surface(route, deps);
	const respond = respondToRead(route, spec.run, deps);
	return edge(route, deps, problemResponse(deps.docs_url), (exchange) => admit(exchange, respond));
}

/**
 * A route that changes something. If a request is repeated with the same Idempotency-Key, the repeated request gets the first
 * response again.
 */
export function handleChange<R extends Route, Caller, D extends EdgeDeps, Result>(
	surface: SurfaceSteps<Caller>,
	route: R,
	spec: ChangeSpec<R, Caller, D, Result>,
): EdgeHandler {
	const deps = spec.deps();
	const admit = surface(route, deps);
	const respond = respondToChange(route, spec, deps);
	return edge(route, deps, problemResponse(deps.docs_url), (exchange) => admit(exchange, respond));
}

type PageSpec<Caller, D> = {
	readonly deps: () => D;
	readonly run: (caller: Caller, deps: D) => Promise<PageResult>;
};

type PageDeps = Pick<EdgeDeps, 'log' | 'time_limit'> & { readonly public_base_url: string };

/** A page for people. They open it with a link in a message to a team, or at the desk. */
export function handleForPeople<R extends Route, D extends PageDeps>(
	route: R,
	{ deps: dependencies, run }: PageSpec<PageRequest<R>, D>,
): EdgeHandler {
	const deps = dependencies();
	return edge(route, deps, problemPage, async (exchange) => {
		const result = await run(readForm(route, exchange.request, deps.public_base_url), deps);
		if ('problem' in result) throw new Refused(result.problem);
		exchange.code = result.code ?? null;
		exchange.about = result.about ?? {};
		return { ...result.response, headers: { ...GUARDED, ...result.response.headers } };
	});
}

/** All other requests: unknown paths, preflights, documents. */
export function handleForAnyone(
	operation: string,
	deps: DocsDeps,
	respond: (request: HttpRequest) => Promise<HttpResponse>,
): EdgeHandler {
	return edge({ operation }, deps, problemResponse(deps.docs_url), ({ request }) => respond(request));
}
