import type { Route } from '../contract/route.ts';
import type { Log } from '../ports/log.ts';
import type { Ports } from '../ports/ports.ts';
import type { Telephony } from '../ports/telephony.ts';
import { type ChangeSpec, changeOf, type Run, runOf } from './answer.ts';
import { type EdgeProblem, type Exchange, found, Refused } from './exchange.ts';
import { problemPage } from './pages/page.ts';
import { type EdgeHandler, pipeline, type Stage } from './pipeline.ts';
import type { HttpRequest } from './request.ts';
import { type HttpResponse, problemResponse } from './response.ts';
import { admitClient } from './stages/admit-client.ts';
import { admitPoller, type Poller } from './stages/admit-poller.ts';
import { admitVisitor, type Visitor } from './stages/admit-visitor.ts';
import { answerErrors } from './stages/answer-errors.ts';
import type { Principal } from './stages/authenticate.ts';
import type { OpenAnswered } from './stages/idempotency.ts';
import { logAnswer } from './stages/log-answer.ts';
import { parseInput } from './stages/parse-input.ts';
import { type LinkHolder, readForm } from './stages/read-form.ts';
import { readJson } from './stages/read-json.ts';
import { replayEarlierAnswer } from './stages/replay-earlier-answer.ts';
import { requireOrigin } from './stages/require-origin.ts';
import { type Provider, verifySignature } from './stages/verify-signature.ts';

/** The dependencies of every handler; each handler adds its own. */
export type EdgeDeps = Pick<Ports, 'store' | 'clock' | 'log'> & {
	/** Where the documentation is served; null or absent: nowhere. */
	readonly docs_url?: string | null;
	/** Only for routes whose response contains a secret that a replay must show again. */
	readonly openSecret?: OpenAnswered;
};

type Documented = Pick<EdgeDeps, 'log' | 'docs_url'>;
type Spec<R extends Route, Caller, D extends EdgeDeps> = { readonly deps: () => D; readonly run: Run<R, Caller, D> };

/** The stages of a request before the route's own code, in order. They find out who calls. */
type Stages<Caller> = <R extends Route>(route: R, deps: EdgeDeps) => readonly Stage<R, Caller>[];

/** A route of the server API, for clients with an API key. */
export const forClients: Stages<Principal> = (route, deps) => [
	logAnswer(route, deps.log),
	answerErrors(route.operation, deps.log, problemResponse(deps.docs_url)),
	admitClient(route, deps),
	readJson(route),
	replayEarlierAnswer(route, deps),
	parseInput(route),
];

/** A route of the widget, for pages of the sites that a workspace allows, with CORS on every response. */
export const forVisitors: Stages<Visitor> = (route, deps) => [
	logAnswer(route, deps.log),
	answerErrors(route.operation, deps.log, problemResponse(deps.docs_url)),
	requireOrigin(deps.store),
	readJson(route),
	admitVisitor(route, deps.store),
	replayEarlierAnswer(route, deps),
	parseInput(route),
];

/** A route of the widget, for the page that requested the call. None of them is idempotent, so none has an earlier answer. */
export const forPollers: Stages<Poller> = (route, deps) => [
	logAnswer(route, deps.log),
	answerErrors(route.operation, deps.log, problemResponse(deps.docs_url)),
	admitPoller(deps.store),
	readJson(route),
	parseInput(route),
];

/** A route that answers with what `run` returns. */
export function handle<R extends Route, Caller, D extends EdgeDeps>(
	stages: Stages<Caller>,
	route: R,
	spec: Spec<R, Caller, D>,
) {
	const deps = spec.deps();
	return pipeline<R, Caller>(stages(route, deps), runOf(route, spec.run, deps));
}

/** A route that changes something, and keeps its answer for the same request. */
export function handleChange<R extends Route, Caller, D extends EdgeDeps, Result>(
	stages: Stages<Caller>,
	route: R,
	spec: ChangeSpec<R, Caller, D, Result>,
) {
	const deps = spec.deps();
	return pipeline<R, Caller>(stages(route, deps), changeOf(route, spec, deps));
}

type Simple<Caller, D, P> = {
	readonly deps: () => D;
	readonly run: (caller: Caller, deps: D) => Promise<{ readonly response: HttpResponse } | { readonly problem: P }>;
};

/** A route for the telephony provider: a request without a valid signature changes nothing. */
export function handleForProvider<D extends Documented & { readonly telephony: Telephony }>(
	route: Route,
	spec: Simple<Provider, D, EdgeProblem>,
) {
	const deps = spec.deps();
	return pipeline<Route, Provider>(
		[
			logAnswer(route, deps.log),
			answerErrors(route.operation, deps.log, problemResponse(deps.docs_url)),
			verifySignature(route, deps),
		],
		answerWith(spec.run, deps),
	);
}

/** A page behind a link in a message to a team; the link's token authorises the request. */
export function handleForTeam<R extends Route, D extends { readonly log: Log }>(
	route: R,
	spec: Simple<LinkHolder<R>, D, EdgeProblem>,
) {
	const deps = spec.deps();
	return pipeline<R, LinkHolder<R>>(
		[logAnswer(route, deps.log), answerErrors(route.operation, deps.log, problemPage), readForm(route)],
		answerWith(spec.run, deps),
	);
}

/** All other requests: unknown paths, preflights, documents. */
export function handleForAnyone(
	operation: string,
	{ log, docs_url }: Documented,
	answer: (request: HttpRequest) => Promise<HttpResponse>,
): EdgeHandler {
	return pipeline(
		[logAnswer({ operation }, log), answerErrors(operation, log, problemResponse(docs_url))],
		({ request }) => answer(request),
	);
}

function answerWith<R extends Route, Caller, D>(run: Simple<Caller, D, EdgeProblem>['run'], deps: D) {
	return async ({ caller }: Exchange<R, Caller>): Promise<HttpResponse> => {
		const reply = await run(found(caller, 'admit'), deps);
		if ('problem' in reply) throw new Refused(reply.problem);
		return reply.response;
	};
}
