import type * as z from 'zod/mini';
import type { Route } from '../contract/route.ts';
import type { Log } from '../ports/log.ts';
import { edge } from './edge.ts';
import { type PageProblem, problemPage } from './page.ts';
import { parseBody } from './parse.ts';
import { type HttpRequest, MAX_BODY_BYTES } from './request.ts';
import type { HttpResponse } from './response.ts';

/** Somebody who has a link: its token, and what the form says. */
type TeamInput<R extends Route> = { readonly token: string; readonly form: z.infer<R['body']> };
type TeamReply = { readonly page: HttpResponse } | { readonly problem: PageProblem };

/**
 * A page behind a link that was sent to a team. Whoever has the token may use it; a form counts only from the page itself,
 * so that no other site presses the button.
 */
export function handleForTeam<R extends Route, D extends { readonly log: Log }>(
	route: R,
	spec: { readonly deps: () => D; readonly run: (input: TeamInput<R>, deps: D) => Promise<TeamReply> },
) {
	const deps = spec.deps();
	const answer = async (request: HttpRequest): Promise<HttpResponse> => {
		const read = readForm(route, request);
		if ('problem' in read) return problemPage(read.problem, request);
		const reply = await spec.run({ token: request.params['token'] ?? '', form: read.value }, deps);
		return 'page' in reply ? reply.page : problemPage(reply.problem, request);
	};
	return edge(route.operation, deps.log, answer, problemPage);
}

function readForm<R extends Route>(
	route: R,
	request: HttpRequest,
): { readonly value: z.infer<R['body']> } | { readonly problem: PageProblem } {
	// One sent with GET is not read.
	const body = route.method === 'GET' ? null : request.body;
	if (route.method !== 'GET' && !isOwnForm(request)) {
		return { problem: { code: 'form_not_ours', detail: 'Open the link from your message, and confirm on its page.' } };
	}
	if ((body?.byteLength ?? 0) > MAX_BODY_BYTES) {
		return { problem: { code: 'payload_too_large', detail: 'This is not what the page sends.' } };
	}
	const fields = new URLSearchParams(body?.toString('utf8') ?? '');
	const parsed = parseBody<R['body']>(route.body, Object.fromEntries(fields));
	if (!('problem' in parsed)) return parsed;
	return { problem: { code: 'validation_failed', detail: 'Open the link again, and choose a phone.' } };
}

/**
 * Whether the form was sent from a page of ours, as browsers tell (Fetch Metadata; `none`: by the person's own hand). With
 * our referrer policy they give the Origin as `null`.
 */
function isOwnForm({ headers }: HttpRequest): boolean {
	const site = headers['sec-fetch-site'];
	if (site !== undefined) return site === 'same-origin' || site === 'none';
	const origin = headers['origin'];
	if (origin === undefined || origin === 'null') return true;
	return URL.canParse(origin) && new URL(origin).host === headers['host'];
}
