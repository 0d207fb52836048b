import { callsPage } from './calls/calls-page.ts';
import { deskSite } from './desk-site.ts';
import { desksPage } from './desks/desks-page.ts';
import { hoursPage } from './hours/hours-page.ts';
import type { PageContent, PageDeps, ShopDeps, View } from './kit/view.ts';
import { logPage } from './log/log-page.ts';
import { noticesPage } from './notices/notices-page.ts';
import { peoplePage } from './people/people-page.ts';
import { sitePage } from './site/site-page.ts';
import { teamPage } from './team/team-page.ts';
import { todayPage } from './today/today-page.ts';

/** Statistics has no form but the one that signs out. Where that is refused, *Today* stands, so that this function draws no chart. */
async function todayInPlace(view: View, deps: PageDeps): Promise<PageContent> {
	return { ...(await todayPage(view, deps)), title: view.texts.pages.today };
}

/** The shop's pages with forms. Each has at least the form that signs out. */
export const formPages = {
	today: todayPage,
	calls: callsPage,
	numbers: todayInPlace,
	hours: hoursPage,
	team: teamPage,
	site: sitePage,
	notices: noticesPage,
	people: peoplePage,
	log: logPage,
	desks: desksPage,
};

/**
 * Answers the forms of the shop. It leaves out the lists as files, so that the function that changes the desk stays small.
 */
export const shopForms = deskSite<keyof typeof formPages, ShopDeps>(formPages);
