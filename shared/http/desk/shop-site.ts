import { callsPage } from '../pages/desk/calls-page.ts';
import { deskScript } from '../pages/desk/desk-script.ts';
import type { ShopDeps } from '../pages/desk/frame.ts';
import { callsCsv, leadsCsv } from '../pages/desk/list-files.ts';
import { numbersPage } from '../pages/desk/numbers-page.ts';
import { logPage, peoplePage, teamPage } from '../pages/desk/people-pages.ts';
import { previewPage } from '../pages/desk/preview-page.ts';
import { hoursPage, noticesPage, sitePage } from '../pages/desk/settings-pages.ts';
import { todayPage } from '../pages/desk/today-page.ts';
import { deskSite } from './desk-site.ts';
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
