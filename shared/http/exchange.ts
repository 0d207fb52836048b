import type { PageCode } from '../contract/kernel/page.ts';
import type { Problem, ProblemCode } from '../contract/kernel/problem.ts';
import type { Language } from '../domain/workspaces/language.ts';
import type { Headers, HttpRequest } from './request.ts';

/** Why a request is refused: an API problem, or one that exists only for pages. */
export type EdgeProblem = Omit<Problem, 'code'> & {
	readonly code: ProblemCode | PageCode;
	/** A page's heading above `detail`, and the language of both. */
	readonly page?: { readonly title: string; readonly language: Language };
};

/** A request, with what every response to it needs: its headers, and the fields of its log line. */
export type Exchange = {
	readonly request: HttpRequest;
	readonly started_ms: number;
	/** Headers of the response, also if it is a refusal: CORS, remaining limits. */
	headers: Headers;
	/** The workspace of the request, once it is known. */
	workspace_id: string | null;
	/** The reason for a refusal. */
	code: EdgeProblem['code'] | null;
};

/** Thrown to refuse a request, at any step. */
export class Refused extends Error {
	override readonly name = 'Refused';
	readonly problem: EdgeProblem;
	constructor(problem: EdgeProblem) {
		super(problem.code);
		this.problem = problem;
	}
}
