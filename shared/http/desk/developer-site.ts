import { deskSite } from './desk-site.ts';
import { deliveriesPage } from './pages/deliveries-page.ts';
import type { PageDeps } from './pages/frame.ts';
import { keysPage } from './pages/keys-page.ts';
import { webhooksPage } from './pages/webhooks-page.ts';
import type { DeveloperPage } from './roles.ts';

/** The pages of those who connect the shop's software. */
export const developerSite = deskSite<DeveloperPage, PageDeps>({
	webhooks: webhooksPage,
	deliveries: deliveriesPage,
	keys: keysPage,
});
