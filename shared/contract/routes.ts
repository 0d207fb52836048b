import * as calls from './calls/call-routes.ts';
import * as telephony from './calls/telephony-routes.ts';
import * as leads from './leads/callback-lead-routes.ts';
import * as links from './leads/callback-link-routes.ts';
import * as openapi from './openapi/openapi-route.ts';
import type { Route } from './route.ts';
import * as widget from './visitors/widget-routes.ts';
import * as deliveries from './webhooks/webhook-delivery-routes.ts';
import * as endpoints from './webhooks/webhook-endpoint-routes.ts';

// Each row is a separate export, so that a function bundles only its own schemas.

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
	widget.cancelCallRequest,
	widget.createCallbackLead,
	widget.getWidgetConfig,
	links.showCallbackLink,
	links.confirmCallbackLink,
	telephony.receiveLegCallback,
	telephony.instructLeg,
	openapi.getOpenapi,
] as const satisfies readonly Route[];
