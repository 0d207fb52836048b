import * as z from 'zod/mini';
import * as calls from '../calls/calls.ts';
import { Id, Instant, OpenApiDocument, Timestamp } from '../kernel/common.ts';
import * as leads from '../leads/callback-leads.ts';
import * as widget from '../visitors/widget.ts';
import * as vocabulary from '../vocabulary.ts';
import * as deliveries from '../webhooks/webhook-deliveries.ts';
import * as endpoints from '../webhooks/webhook-endpoints.ts';
import { fieldDescriptions, schemaDescriptions } from './descriptions.ts';
import * as events from './events.ts';

export type Json = Readonly<Record<string, unknown>>;

const shared = { Id, Timestamp, ...vocabulary };
/** The two documented formats; `parseInstant` accepts more (RFC 3339 also allows lower case and leap seconds). */
const INSTANT_FORMATS = {
	anyOf: [
		{ type: 'string', format: 'date-time' },
		{ type: 'string', format: 'date' },
	],
};

/** The schemas of responses, by their names in the document. */
const answers = {
	...shared,
	Call: calls.Call,
	CallResponse: calls.CallResponse,
	CallList: calls.CallListResponse,
	CallbackLead: leads.CallbackLead,
	CallbackLeadResponse: leads.CallbackLeadResponse,
	CallbackLeadList: leads.CallbackLeadListResponse,
	CallRequest: widget.CallRequest,
	CallRequestResponse: widget.CallRequestResponse,
	CallRequestStatus: widget.CallRequestStatus,
	CallRequestStatusResponse: widget.CallRequestStatusResponse,
	CallbackLeadReceipt: widget.LeadCreated,
	CallbackLeadReceiptResponse: widget.LeadCreatedResponse,
	WidgetConfig: widget.WidgetConfig,
	ConsentTexts: widget.ConsentTexts,
	ConsentText: widget.ConsentText,
	NumberGuide: widget.NumberGuide,
	NumberGroups: widget.NumberGroups,
	WidgetConfigResponse: widget.WidgetConfigResponse,
	ProofOfWorkChallenge: widget.ProofOfWorkChallenge,
	WebhookEndpoint: endpoints.WebhookEndpoint,
	WebhookEndpointResponse: endpoints.WebhookEndpointResponse,
	WebhookEndpointList: endpoints.WebhookEndpointListResponse,
	WebhookEndpointWithSecret: endpoints.WebhookEndpointWithSecret,
	WebhookEndpointWithSecretResponse: endpoints.WebhookEndpointSecretResponse,
	Recovery: endpoints.Recovery,
	RecoveryResponse: endpoints.RecoverWebhookEndpointResponse,
	WebhookDelivery: deliveries.WebhookDelivery,
	WebhookDeliveryResponse: deliveries.WebhookDeliveryResponse,
	WebhookDeliveryList: deliveries.WebhookDeliveryListResponse,
	WebhookDeliveryDetail: deliveries.WebhookDeliveryDetail,
	WebhookDeliveryDetailResponse: deliveries.WebhookDeliveryDetailResponse,
	Attempt: deliveries.Attempt,
	AttemptResponse: endpoints.TestWebhookEndpointResponse,
	Timings: deliveries.Timings,
	OpenApiDocument,
	...events,
};

/** The schemas of requests. */
const requests = {
	Instant,
	WidgetRequest: widget.WidgetRequest,
	WidgetLeadRequest: widget.WidgetLeadRequest,
	CancelOwnCall: widget.CancelOwnCall,
	UpdateCallbackLead: leads.UpdateCallbackLead,
	CreateWebhookEndpoint: endpoints.CreateWebhookEndpoint,
	ChangeWebhookEndpoint: endpoints.ChangeWebhookEndpoint,
	RotateSecret: endpoints.RotateSecret,
	TestWebhookEndpoint: endpoints.TestWebhookEndpoint,
	RecoverWebhookEndpoint: endpoints.RecoverWebhookEndpoint,
};
export type SchemaName = keyof typeof answers | keyof typeof requests | 'Problem';

const all: Readonly<Record<string, z.ZodMiniType>> = { ...answers, ...requests };
const isName = (name: string): name is SchemaName => Object.hasOwn(all, name);

/** The document's path of a schema. */
export function refTo(name: SchemaName): Json {
	return { $ref: `#/components/schemas/${name}` };
}

/** The name that a route's schema has in the document. Throws when it has none: every body is a component. */
export function nameOf(schema: z.ZodMiniType, where: string): SchemaName {
	const name = Object.keys(all)
		.filter(isName)
		.find((candidate) => all[candidate] === schema);
	if (name === undefined) throw new Error(`${where}: give this schema a name in shared/contract/openapi/schemas.ts`);
	return name;
}

type Written = { readonly zodSchema: z.core.$ZodTypes; readonly jsonSchema: z.core.JSONSchema.BaseSchema };

/**
 * Removes keywords that only zod needs. Responses may gain members without notice, so a reader must not refuse unknown
 * ones.
 */
function plain({ zodSchema, jsonSchema }: Written): void {
	if (zodSchema === Instant) {
		delete jsonSchema.type;
		delete jsonSchema.maxLength;
		Object.assign(jsonSchema, INSTANT_FORMATS);
	}
	delete jsonSchema.readOnly;
	if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
	if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
	if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function described(name: string, schema: Json): Json {
	const { $schema: _dialect, $id: _id, ...body } = schema;
	const texts: Readonly<Record<string, string>> = fieldDescriptions[name] ?? {};
	const fields = Object.entries(body['properties'] ?? {}).map(([field, property]: [string, object]) => {
		const description = texts[field];
		return [field, description === undefined ? property : { ...property, description }];
	});
	const description = schemaDescriptions[name];
	return {
		...(description === undefined ? {} : { description }),
		...body,
		...(fields.length === 0 ? {} : { properties: Object.fromEntries(fields) }),
	};
}

function jsonSchemas(named: Readonly<Record<string, z.ZodMiniType>>, io: 'input' | 'output'): Record<string, Json> {
	const registry = z.registry<{ readonly id: string }>();
	for (const [name, schema] of Object.entries(named)) registry.add(schema, { id: name });
	const uri = (id: string): string => `#/components/schemas/${id}`;
	const { schemas } = z.toJSONSchema(registry, { io, uri, unrepresentable: 'any', override: plain });
	return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, described(name, { ...schema })]));
}

/** Every named schema as JSON Schema 2020-12, which OpenAPI 3.1 uses unchanged. */
export function componentSchemas(): Readonly<Record<string, Json>> {
	return { ...jsonSchemas({ ...shared, ...requests }, 'input'), ...jsonSchemas(answers, 'output') };
}
