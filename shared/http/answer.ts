import type * as z from 'zod/mini';
import type { Problem } from '../contract/kernel/problem.ts';
import type { Route } from '../contract/route.ts';
import type { Ports } from '../ports/ports.ts';
import type { Write } from '../ports/store.ts';
import { AnsweredMeanwhile, type Answering } from '../use-cases/kernel/change.ts';
import type { MadeSecret } from '../use-cases/webhooks/rotate-webhook-secret.ts';
import { type Exchange, found, type Parsed, Refused } from './exchange.ts';
import { etagHeader, matchesEtag } from './headers/etag.ts';
import { SAME_REQUEST_IN_PROGRESS } from './refusals.ts';
import type { Headers, HttpRequest } from './request.ts';
import { type HttpResponse, jsonResponse } from './response.ts';
import { keepAnswer, SECRET_PLACEHOLDER, withSecret } from './stages/idempotency.ts';
import type { Keyed } from './stages/replay-earlier-answer.ts';

/** A request that passed every stage: authorised, parsed, and ready for the domain. */
export type Input<R extends Route, Caller> = Parsed<R> & {
	readonly request: HttpRequest;
	readonly caller: Caller;
};

/** A secret in a response: shown only once, and sealed for a replay. It replaces `SECRET_PLACEHOLDER` in the response. */
type AnsweredSecret = { readonly clear: string; readonly sealed: string };
type Answer<R extends Route> = {
	readonly answer: z.input<R['response']>;
	readonly secret?: AnsweredSecret;
	readonly headers?: Headers;
};
export type Reply<R extends Route> = Answer<R> | { readonly problem: Problem };

/** The reply with an endpoint and the signing secret that was just made for it. */
export function answerWithSecret<E extends object>({
	endpoint,
	secret,
	sealed_secret,
}: MadeSecret & { readonly endpoint: E }) {
	return {
		answer: { data: { ...endpoint, secret: SECRET_PLACEHOLDER } },
		secret: { clear: secret, sealed: sealed_secret },
	};
}

/** A route that reads: `run` returns the reply. */
export type Run<R extends Route, Caller, D> = (input: Input<R, Caller>, deps: D) => Promise<Reply<R>>;

/** A route that changes something: `run` returns a result, and `answer` turns it into the reply. */
export type ChangeSpec<R extends Route, Caller, D, Result> = {
	readonly deps: () => D;
	/** Also called before the result is committed, so that the same transaction can store the reply. */
	readonly answer: (result: Result) => Reply<R>;
	readonly run: (input: Input<R, Caller>, deps: D & Answering<Result>) => Promise<Result>;
};

type Deps = Pick<Ports, 'store' | 'clock'>;

/** Answers a request with the reply of `run`, through the response schema of its route. */
export function runOf<R extends Route, Caller, D extends Deps>(route: R, run: Run<R, Caller, D>, deps: D) {
	return async (exchange: Exchange<R, Caller>): Promise<HttpResponse> =>
		respond(route, await run(inputOf(exchange), deps));
}

/** Answers a request with a change. If the request has an Idempotency-Key, the change stores the response. */
export function changeOf<R extends Route, Caller, D extends Deps, Result>(
	route: R,
	{ answer, run }: Pick<ChangeSpec<R, Caller, D, Result>, 'answer' | 'run'>,
	deps: D,
) {
	return async (exchange: Exchange<R, Caller>): Promise<HttpResponse> => {
		const { keyed = null, request } = exchange;
		const if_match = route.conditional ? request.headers['if-match'] : undefined;
		const changing = {
			...deps,
			keepAnswer: (result: Result) => {
				const reply = keyed === null ? null : answer(result);
				return keyed === null || reply === null || 'problem' in reply ? [] : [storedAnswer(route, keyed, reply, deps)];
			},
			hasSeen: (current: Result) => {
				const reply = if_match === undefined ? null : answer(current);
				if (if_match === undefined || reply === null || 'problem' in reply) return true;
				return matchesEtag(if_match, serialise(route, reply.answer));
			},
		};
		try {
			return respond(route, answer(await run(inputOf(exchange), changing)));
		} catch (error) {
			throw error instanceof AnsweredMeanwhile ? new Refused(SAME_REQUEST_IN_PROGRESS) : error;
		}
	};
}

function storedAnswer<R extends Route>(route: R, keyed: Keyed, { answer, secret }: Answer<R>, { clock }: Deps): Write {
	const sealed_secret = secret?.sealed ?? null;
	return keepAnswer(keyed, { status: route.success, body: serialise(route, answer), sealed_secret }, clock.now());
}

function respond<R extends Route>(route: R, reply: Reply<R>): HttpResponse {
	if ('problem' in reply) throw new Refused(reply.problem);
	const text = serialise(route, reply.answer);
	const body = reply.secret === undefined ? text : withSecret(text, reply.secret.clear);
	return jsonResponse(route.success, body, { ...reply.headers, ...etagHeader(route, body) });
}

function inputOf<R extends Route, Caller>({ request, input, caller }: Exchange<R, Caller>): Input<R, Caller> {
	return { ...found(input, 'parse-input'), request, caller: found(caller, 'admit') };
}

/** Responses go through their schema, so that no undeclared field is sent. */
function serialise<R extends Route>(route: R, answer: z.input<R['response']>): string {
	const value = route.response.parse(answer);
	return value === null ? '' : JSON.stringify(value);
}
