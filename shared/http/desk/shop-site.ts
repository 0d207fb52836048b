import type { DeskPage, DeveloperPage } from '../../contract/desk/desk-pages.ts';
import { callOrList } from './calls/call-page.ts';
import { deskSite } from './desk-site.ts';
import { deskScript } from './kit/desk-script.ts';
import type { ShopDeps } from './kit/view.ts';
import { callsCsv, leadsCsv, sourcesCsv } from './numbers/list-files.ts';
import { formPages } from './shop-forms.ts';
import { previewPage } from './site/preview-page.ts';

/** The pages of the shop, its lists as files, and what its pages load. */
export const shopSite = deskSite<Exclude<DeskPage, DeveloperPage>, ShopDeps>({
	...formPages,
	// A form that is refused on the page of a call is answered with the list, so that one function less reads what was agreed.
	calls: callOrList,
	preview: previewPage,
	'desk.js': deskScript,
	'calls.csv': callsCsv,
	'leads.csv': leadsCsv,
	'sources.csv': sourcesCsv,
});
