import { deskSite } from './desk-site.ts';
import { formPages } from './form-pages.ts';
import { deskScript } from './pages/desk-script.ts';
import type { ShopDeps } from './pages/frame.ts';
import { callsCsv, leadsCsv, sourcesCsv } from './pages/list-files.ts';
import { previewPage } from './pages/preview-page.ts';
import type { DeskPage, DeveloperPage } from './roles.ts';

/** The pages of the shop, its lists as files, and what its pages load. */
export const shopSite = deskSite<Exclude<DeskPage, DeveloperPage>, ShopDeps>({
	...formPages,
	preview: previewPage,
	'desk.js': deskScript,
	'calls.csv': callsCsv,
	'leads.csv': leadsCsv,
	'sources.csv': sourcesCsv,
});
