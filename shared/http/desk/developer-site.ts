import { deliveriesPage } from '../pages/desk/deliveries-page.ts';
import type { PageDeps } from '../pages/desk/frame.ts';
import { keysPage } from '../pages/desk/keys-page.ts';
import { webhooksPage } from '../pages/desk/webhooks-page.ts';
import { deskSite } from './desk-site.ts';
import type { DeveloperPage } from './roles.ts';

/** The pages of those who connect the shop's software. */
export const developerSite = deskSite<DeveloperPage, PageDeps>({
	webhooks: webhooksPage,
	deliveries: deliveriesPage,
	keys: keysPage,
});
