import { callRoutes } from './calls/calls.ts';
import { telephonyRoutes } from './calls/telephony.ts';
import { deskRoutes } from './desk/desk.ts';
import { callbackLeadRoutes } from './leads/callback-leads.ts';
import { callbackLinkRoutes } from './leads/callback-links.ts';
import { openapiRoutes } from './openapi/openapi-route.ts';
import type { Route } from './route.ts';
import { eventRoutes } from './webhooks/events.ts';
import { webhookDeliveryRoutes } from './webhooks/webhook-deliveries.ts';
import { webhookEndpointRoutes } from './webhooks/webhook-endpoints.ts';
import { widgetRoutes } from './widget/widget.ts';

// Each row is an export of its own, in the folder of its subject. So a function's bundle contains only the schemas of its
// own row.

/** The whole API. The gateway has exactly these routes, their preflights and the fallback. */
export const routes = [
	...callRoutes,
	...callbackLeadRoutes,
	...webhookEndpointRoutes,
	...webhookDeliveryRoutes,
	...eventRoutes,
	...widgetRoutes,
	...callbackLinkRoutes,
	...deskRoutes,
	...telephonyRoutes,
	...openapiRoutes,
] as const satisfies readonly Route[];
