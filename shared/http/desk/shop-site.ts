import { deskSite } from './desk-site.ts';
import { callsPage } from './pages/calls-page.ts';
import { deskScript } from './pages/desk-script.ts';
import type { ShopDeps } from './pages/frame.ts';
import { callsCsv, leadsCsv } from './pages/list-files.ts';
import { numbersPage } from './pages/numbers-page.ts';
import { logPage, peoplePage, teamPage } from './pages/people-pages.ts';
import { previewPage } from './pages/preview-page.ts';
import { hoursPage, noticesPage, sitePage } from './pages/settings-pages.ts';
import { todayPage } from './pages/today-page.ts';
import type { DeskPage, DeveloperPage } from './roles.ts';

/** The pages of the shop, and its lists as files. */
export const shopSite = deskSite<Exclude<DeskPage, DeveloperPage>, ShopDeps>({
	today: todayPage,
	calls: callsPage,
	numbers: numbersPage,
	hours: hoursPage,
	team: teamPage,
	site: sitePage,
	notices: noticesPage,
	people: peoplePage,
	log: logPage,
	preview: previewPage,
	'desk.js': deskScript,
	'calls.csv': callsCsv,
	'leads.csv': leadsCsv,
});
