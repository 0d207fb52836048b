import { html } from '../../presentation/markup.ts';
import { maySee } from './actions.ts';
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

/**
 * If a form of *Statistics* or *Calls* is refused, the answer shows *Today* instead, which lists the newest calls, too. So
 * the function that runs these forms needs no code for charts and for the search. A developer, who may open the page of a call
 * but not *Today*, gets only the note that says why.
 */
async function todayInPlace(view: View, deps: PageDeps): Promise<PageContent> {
	if (!maySee(view.at.person, 'today')) return { ...html``, title: view.texts.calls };
	return { ...(await todayPage(view, deps)), title: view.texts.pages.today };
}

/** The shop's pages that have forms. Every page has at least the form that signs the person out. */
export const formPages = {
	today: todayPage,
	calls: todayInPlace,
	numbers: todayInPlace,
	hours: hoursPage,
	team: teamPage,
	site: sitePage,
	notices: noticesPage,
	people: peoplePage,
	log: logPage,
	desks: desksPage,
};

/** Answers the forms of the shop. It cannot make the lists as files (CSV), so that the `change-desk` function stays small. */
export const shopForms = deskSite<keyof typeof formPages, ShopDeps>(formPages);
