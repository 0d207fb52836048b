import type * as z from 'zod/mini';
import type { Problem, ProblemCode } from '../contract/kernel/problem.ts';
import type { PageCode } from '../contract/leads/callback-links.ts';
import type { Route } from '../contract/route.ts';
import type { Language } from '../domain/workspaces/language.ts';
import type { Headers, HttpRequest } from './request.ts';
import type { HttpResponse } from './response.ts';
import type { Keyed } from './stages/replay-earlier-answer.ts';

/** A request's input, parsed by the schemas of its route. */
export type Parsed<R extends Route> = {
	readonly params: z.infer<R['params']>;
	readonly query: z.infer<R['query']>;
	readonly body: z.infer<R['body']>;
};

/** A refusal by any stage: an API problem, or one that exists only for pages. */
export type EdgeProblem = Omit<Problem, 'code'> & {
	readonly code: ProblemCode | PageCode;
	/** A page's heading above `detail`, and the language of both. */
	readonly page?: { readonly title: string; readonly language: Language };
};

/** A request in the pipeline. Each stage adds its results; no stage changes those of another. */
export type Exchange<R extends Route = Route, Caller = unknown> = {
	readonly request: HttpRequest;
	readonly started_ms: number;
	/** Headers for every response to this request: CORS, remaining limits. */
	headers: Headers;
	/** For the log: the workspace of the request, and the reason for a refusal. */
	workspace_id?: string;
	problem?: EdgeProblem['code'];
	/** The authenticated client, once admitted. */
	caller?: Caller;
	/** The page that sent the request; null: its Origin header is not a page's. */
	origin?: string | null;
	json?: JsonBody;
	/** The request's Idempotency-Key; null if it has none. */
	keyed?: Keyed | null;
	input?: Parsed<R>;
};

/** A body as received, and as JSON. */
export type JsonBody = { readonly raw: string; readonly value: unknown };

/** Returns the result of an earlier stage. Throws if the pipeline lacks that stage. */
export function found<T>(value: T | undefined, stage: string): T {
	if (value === undefined) throw new Error(`the pipeline lacks the stage ${stage}`);
	return value;
}

/** Thrown by a stage or handler to refuse the request: skips the remaining stages. */
export class Refused extends Error {
	override readonly name = 'Refused';
	readonly problem: EdgeProblem;
	constructor(problem: EdgeProblem) {
		super(problem.code);
		this.problem = problem;
	}
}

/** Thrown by a stage that already has the response: skips the remaining stages. */
export class Answered extends Error {
	override readonly name = 'Answered';
	readonly response: HttpResponse;
	constructor(response: HttpResponse) {
		super('answered');
		this.response = response;
	}
}
