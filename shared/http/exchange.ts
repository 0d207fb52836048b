import type * as z from 'zod/mini';
import type { Problem, ProblemCode } from '../contract/kernel/problem.ts';
import type { PageCode } from '../contract/leads/callback-links.ts';
import type { Route } from '../contract/route.ts';
import type { Language } from '../domain/workspaces/language.ts';
import type { Headers, HttpRequest } from './request.ts';
import type { HttpResponse } from './response.ts';
import type { Keyed } from './stages/replay-earlier-answer.ts';

/** What a request says, parsed by the schemas of its route. */
export type Parsed<R extends Route> = {
	readonly params: z.infer<R['params']>;
	readonly query: z.infer<R['query']>;
	readonly body: z.infer<R['body']>;
};

/** A refusal by any stage: an API problem, or one that only pages have. */
export type EdgeProblem = Omit<Problem, 'code'> & {
	readonly code: ProblemCode | PageCode;
	/** What a page says above `detail`, and the language of both. */
	readonly page?: { readonly title: string; readonly language: Language };
};

/** One request on its way through the stages. Each stage adds what it has found out; no stage changes what another added. */
export type Exchange<R extends Route = Route, Caller = unknown> = {
	readonly request: HttpRequest;
	readonly started_ms: number;
	/** What every answer to this request carries: CORS headers, what is left of a limit. */
	headers: Headers;
	/** For the log: whose request it is, and why it was refused. */
	workspace_id?: string;
	problem?: EdgeProblem['code'];
	/** Who asks, once admitted. */
	caller?: Caller;
	/** The page that asks; null: its Origin header can be no page's. */
	origin?: string | null;
	json?: JsonBody;
	/** The request's Idempotency-Key; null: it has none. */
	keyed?: Keyed | null;
	input?: Parsed<R>;
};

/** A body as it came, and as JSON. */
export type JsonBody = { readonly raw: string; readonly value: unknown };

/** What an earlier stage has found out. Throws if the pipeline lacks that stage. */
export function found<T>(value: T | undefined, stage: string): T {
	if (value === undefined) throw new Error(`the pipeline lacks the stage ${stage}`);
	return value;
}

/** Thrown by a stage or handler to refuse the request: the stages that are left are skipped. */
export class Refused extends Error {
	override readonly name = 'Refused';
	readonly problem: EdgeProblem;
	constructor(problem: EdgeProblem) {
		super(problem.code);
		this.problem = problem;
	}
}

/** Thrown by a stage that has the answer already: the stages that are left are skipped. */
export class Answered extends Error {
	override readonly name = 'Answered';
	readonly response: HttpResponse;
	constructor(response: HttpResponse) {
		super('answered');
		this.response = response;
	}
}
