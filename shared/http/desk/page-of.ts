import { localeOf } from '../../domain/workspaces/language.ts';
import type { AtDesk } from '../../use-cases/desk/enter-desk.ts';
import type { EdgeProblem } from '../exchange.ts';
import { type DeskPage, deskPages, mayShow } from '../pages/desk/frame.ts';
import { deskProblem } from '../pages/desk/sign-in-pages.ts';
import type { HttpRequest } from '../request.ts';

/** The page in a request's path, if this person may see it. */
export function pageOf(
	{ params }: Pick<HttpRequest, 'params'>,
	{ workspace, person }: AtDesk,
): { readonly page: DeskPage } | { readonly problem: EdgeProblem } {
	const page = deskPages.find((each) => each === params['page']);
	const { language } = localeOf(workspace);
	if (page === undefined) return { problem: deskProblem('page_unknown', language) };
	return mayShow(person.role, page) ? { page } : { problem: deskProblem('owners_only', language) };
}
