import type { Markup } from '../../presentation/markup.ts';
import { enterDesk } from '../../use-cases/desk/enter-desk.ts';
import {
	type DeskPage,
	FOR_MEMBERS,
	framed,
	type MenuPage,
	mayShow,
	menuPages,
	type PageDeps,
	type View,
	viewOf,
} from '../pages/desk/frame.ts';
import { callsCsv, leadsCsv } from '../pages/desk/list-files.ts';
import { numbersPage } from '../pages/desk/numbers-page.ts';
import { logPage, peoplePage, teamPage } from '../pages/desk/people-pages.ts';
import { hoursPage, noticesPage, sitePage } from '../pages/desk/settings-pages.ts';
import { refusal, signedOutPage } from '../pages/desk/sign-in-pages.ts';
import { todayPage } from '../pages/desk/today-page.ts';
import type { Fields, HttpRequest } from '../request.ts';
import type { HttpResponse, Reply } from '../response.ts';

const pages: Readonly<Record<MenuPage, (view: View, deps: PageDeps) => Markup | Promise<Markup>>> = {
	today: todayPage,
	numbers: numbersPage,
	hours: hoursPage,
	team: teamPage,
	site: sitePage,
	notices: noticesPage,
	people: peoplePage,
	log: logPage,
};

type Admitted = { readonly page: DeskPage; readonly view: View };

/** Admits a person with a live session to a page that the person may see. `form`: what the request has entered. */
export async function admit(request: HttpRequest, form: Fields | null, deps: PageDeps): Promise<Admitted | Reply> {
	const at = await enterDesk(request.cookies, deps);
	if (at === null) return { response: signedOutPage(request, form) };
	const view = viewOf(at, deps.clock.now(), request.query);
	const page = [...menuPages, ...FOR_MEMBERS].find((each) => each === request.params['page']);
	if (page === undefined) return refusal('page_unknown', view.language);
	return mayShow(at.person, page) ? { view, page } : refusal('owners_only', view.language);
}

/** Builds one page, or a list as a file, from what the table has now. */
export async function showPage(page: DeskPage, view: View, deps: PageDeps): Promise<HttpResponse> {
	if (page === 'calls.csv') return callsCsv(view, deps);
	if (page === 'leads.csv') return leadsCsv(view, deps);
	return framed(view, page, await pages[page](view, deps));
}
