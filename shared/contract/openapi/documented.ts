import { callDocs } from '../calls/calls-docs.ts';
import { commonComponents, instantComponent } from '../kernel/common-docs.ts';
import type { Group, OperationDocs } from '../kernel/operation-docs.ts';
import { callbackLeadDocs } from '../leads/callback-leads-docs.ts';
import type { routes } from '../routes.ts';
import { vocabularyComponents } from '../vocabulary-docs.ts';
import { eventDocs } from '../webhooks/events-docs.ts';
import { webhookDeliveryDocs } from '../webhooks/webhook-deliveries-docs.ts';
import { webhookEndpointDocs } from '../webhooks/webhook-endpoints-docs.ts';
import { widgetDocs } from '../widget/widget-docs.ts';
import { openapiDocs } from './openapi-docs.ts';

export const documented: readonly Group[] = [
	callDocs,
	callbackLeadDocs,
	webhookEndpointDocs,
	webhookDeliveryDocs,
	eventDocs,
	widgetDocs,
	openapiDocs,
];

type Row = (typeof routes)[number];
/** Operations for telephony providers and for pages that people open. API clients do not use them. */
type Internal = Extract<Row, { readonly surface: 'provider' | 'team' | 'desk' }>['operation'];
export type DocumentedOperation = Exclude<Row['operation'], Internal>;

/** The texts of all operations for API clients. If a group is missing, this does not compile. */
export const operationDocs: { readonly [O in DocumentedOperation]: OperationDocs } = {
	...callDocs.operations,
	...callbackLeadDocs.operations,
	...webhookEndpointDocs.operations,
	...webhookDeliveryDocs.operations,
	...eventDocs.operations,
	...widgetDocs.operations,
	...openapiDocs.operations,
};

export const components = {
	...commonComponents,
	...vocabularyComponents,
	...instantComponent,
	...callDocs.components,
	...callbackLeadDocs.components,
	...widgetDocs.components,
	...webhookEndpointDocs.components,
	...webhookDeliveryDocs.components,
	...openapiDocs.components,
	...eventDocs.components,
};
