import type { Route } from './route.ts';
import * as leads from './routes/callback-leads.ts';
import * as links from './routes/callback-links.ts';
import * as calls from './routes/calls.ts';
import * as openapi from './routes/openapi.ts';
import * as telephony from './routes/telephony.ts';
import * as deliveries from './routes/webhook-deliveries.ts';
import * as endpoints from './routes/webhook-endpoints.ts';
import * as widget from './routes/widget.ts';

// Each row is an export of its own in routes/, so that a function bundles its own schemas and no others.

/** The whole API. The gateway has exactly these routes, their preflights and the fallback. */
export const routes = [
	calls.listCalls,
	calls.getCall,
	calls.cancelCall,
	leads.listCallbackLeads,
	leads.getCallbackLead,
	leads.updateCallbackLead,
	endpoints.createWebhookEndpoint,
	endpoints.listWebhookEndpoints,
	endpoints.getWebhookEndpoint,
	endpoints.changeWebhookEndpoint,
	endpoints.deleteWebhookEndpoint,
	endpoints.rotateWebhookSecret,
	endpoints.testWebhookEndpoint,
	endpoints.recoverWebhookEndpoint,
	deliveries.listWebhookDeliveries,
	deliveries.getWebhookDelivery,
	deliveries.retryWebhookDelivery,
	widget.requestCall,
	widget.getCallRequestStatus,
	widget.createCallbackLead,
	widget.getWidgetConfig,
	links.showCallbackLink,
	links.confirmCallbackLink,
	telephony.receiveLegCallback,
	telephony.instructLeg,
	openapi.getOpenapi,
] as const satisfies readonly Route[];
