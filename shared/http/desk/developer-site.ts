import type { DeveloperPage } from '../../contract/desk/desk-pages.ts';
import { deliveriesPage } from './deliveries/deliveries-page.ts';
import { deskSite } from './desk-site.ts';
import { keysPage } from './keys/keys-page.ts';
import { whatWasDone } from './kit/said.ts';
import type { DeveloperDeps } from './kit/view.ts';
import { webhooksPage } from './webhooks/webhooks-page.ts';

/** The pages for the people who connect the shop's software. */
export const developerSite = deskSite<DeveloperPage, DeveloperDeps>(
	{
		webhooks: webhooksPage,
		deliveries: deliveriesPage,
		keys: keysPage,
	},
	whatWasDone,
);
