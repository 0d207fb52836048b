import type { DeskPage, DeveloperPage } from '../../contract/desk/desk-pages.ts';
import { callOrList } from './calls/call-page.ts';
import { visitorOf } from './calls/visitor-of.ts';
import { deskSite } from './desk-site.ts';
import { deskScript } from './kit/desk-script.ts';
import { whatWasDone } from './kit/said.ts';
import type { ShopDeps } from './kit/view.ts';
import { logWithVisitors } from './log/log-with-visitors.ts';
import { callsCsv, leadsCsv, sourcesCsv } from './numbers/list-files.ts';
import { numbersPage } from './numbers/numbers-page.ts';
import { formPages } from './shop-forms.ts';
import { previewPage } from './site/preview-page.ts';
import { todayWithNotes } from './today/today-with-notes.ts';
import { undeliveredCard } from './webhooks/undelivered-card.ts';

/** The pages of the shop, its lists as files, and the files that its pages load. */
export const shopSite = deskSite<Exclude<DeskPage, DeveloperPage>, ShopDeps>(
	{
		...formPages,
		today: todayWithNotes,
		// This entry replaces `todayInPlace` from `formPages`. The function that runs forms shows *Today* after a refused
		// form of this page. So the function that runs forms need not read consents.
		calls: callOrList,
		log: logWithVisitors,
		numbers: numbersPage,
		preview: previewPage,
		'desk.js': deskScript,
		'calls.csv': callsCsv,
		'leads.csv': leadsCsv,
		'sources.csv': sourcesCsv,
	},
	(view, deps) => whatWasDone(view, deps, visitorOf),
	undeliveredCard,
);
