import type * as z from 'zod/mini';
import type { openDesk as route } from '../../../contract/desk/desk.ts';
import { ASKING_COOKIE, cookieIn, sessionCookie } from '../../../domain/desk/session-cookie.ts';
import { hashOf, parseSecret } from '../../../domain/kernel/link-token.ts';
import type { Ports } from '../../../ports/ports.ts';
import { countTry, findDeskLink, openDesk } from '../../../use-cases/desk/desk-links.ts';
import { enterDesk } from '../../../use-cases/desk/enter-desk.ts';
import type { HttpRequest } from '../../edge/request.ts';
import { type PageResult, seeOther } from '../../edge/response.ts';
import { firstPageOf, lostLinkPage, openPage, purposePage, servedPage, tooOften } from './sign-in-pages.ts';

type Deps = Pick<Ports, 'store' | 'clock' | 'ids' | 'macs' | 'queues'>;

/** The hash of the secret that a browser got when it asked for a link. Null if the browser has not asked for a link. */
function browserOf({ cookies }: HttpRequest): string | null {
	const secret = parseSecret(cookieIn(cookies, ASKING_COOKIE));
	return secret && hashOf(secret);
}

/**
 * Answers a browser that opens a link to the desk (`form` is null), or that sends the form of the page to which the link
 * leads. Opening the link does not use the link up, because scanners of mails open links, too.
 */
export async function followLink(
	request: HttpRequest,
	form: z.infer<(typeof route)['body']> | null,
	deps: Deps,
): Promise<PageResult> {
	const { token = '' } = request.params;
	const browser = browserOf(request);
	const state = await (form === null
		? findDeskLink(token, deps, browser)
		: openDesk(token, form.workspace, deps, browser));
	if ('secret' in state) return { response: seeOther(firstPageOf(deps.clock.now()), sessionCookie(state.secret)) };
	if ('served' in state) return { response: servedPage(state) };
	if ('purpose' in state) return { response: purposePage(state) };
	if ('link' in state) return { response: openPage(state, request) };
	const at = await enterDesk(request.cookies, deps);
	// The person has pressed the button twice, or has opened the link again in the browser whose session the link began.
	if (at !== null && state.refused === 'link_used' && state.session_id === at.session.id)
		return { response: seeOther('../pages/today') };
	const limited = state.refused === 'link_not_valid' ? await countTry('wrong', request.source_ip, deps) : null;
	return limited === null ? lostLinkPage(state.refused, at, request) : tooOften(limited, request, '../');
}
