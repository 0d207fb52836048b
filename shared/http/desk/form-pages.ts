import { callsPage } from './pages/calls-page.ts';
import { desksPage } from './pages/desks-page.ts';
import { numbersPage } from './pages/numbers-page.ts';
import { logPage, peoplePage, teamPage } from './pages/people-pages.ts';
import { hoursPage, noticesPage, sitePage } from './pages/settings-pages.ts';
import { todayPage } from './pages/today-page.ts';

/** The pages of the shop that have forms: each has at least the one that signs out. */
export const formPages = {
	today: todayPage,
	calls: callsPage,
	numbers: numbersPage,
	hours: hoursPage,
	team: teamPage,
	site: sitePage,
	notices: noticesPage,
	people: peoplePage,
	log: logPage,
	desks: desksPage,
};
