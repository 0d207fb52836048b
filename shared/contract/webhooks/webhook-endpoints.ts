import * as z from 'zod/mini';
import { visibleLine } from '../../domain/kernel/visible-line.ts';
import { headerFault, MAX_CUSTOM_HEADERS } from '../../domain/webhooks/custom-headers.ts';
import { Empty, Id, IdParams, Instant, listOf, OnePageQuery, single, Timestamp } from '../kernel/common.ts';
import { route } from '../route.ts';
import { DisabledReason, EndpointStatus, EventKind } from '../vocabulary.ts';
import { AttemptResponse } from './webhook-deliveries.ts';

const Url = z.string().check(z.minLength(1), z.maxLength(2048));
const Description = z.nullable(z.string().check(z.overwrite(visibleLine), z.maxLength(200)));
const Events = z.array(EventKind).check(
	z.minLength(1),
	z.maxLength(6),
	z.refine((kinds) => new Set(kinds).size === kinds.length, 'must be distinct'),
);

/** Refuses a header named `__proto__`. `JSON.parse` creates such a field, and zod would ignore it without an error. */
const noPrototype = z.transform((value: unknown, { issues }) => {
	if (value instanceof Object && Object.hasOwn(value, '__proto__')) {
		issues.push({ code: 'custom', message: 'another header name', path: ['__proto__'], input: value });
	}
	return value;
});

/** The customer's headers, by name. Every delivery has these headers in addition to our own. */
const CustomHeaders = z.nullable(
	z.pipe(
		noPrototype,
		z.record(z.string(), z.string()).check(
			z.check(({ value, issues }) => {
				const names = Object.keys(value);
				const fault = (message: string, path: string[]) => issues.push({ code: 'custom', message, path, input: value });
				if (names.length > MAX_CUSTOM_HEADERS) fault(`an object of at most ${MAX_CUSTOM_HEADERS} headers`, []);
				if (new Set(names.map((name) => name.toLowerCase())).size < names.length) fault('must be distinct', []);
				for (const name of names.slice(0, MAX_CUSTOM_HEADERS)) {
					const message = headerFault(name, value[name] ?? '');
					if (message !== null) fault(message, [name]);
				}
			}),
		),
	),
);

export const CreateWebhookEndpoint = z.strictObject({
	url: Url,
	events: Events,
	description: z.optional(Description),
	headers: z.optional(CustomHeaders),
});
export const ChangeWebhookEndpoint = z.strictObject({
	url: z.optional(Url),
	description: z.optional(Description),
	events: z.optional(Events),
	headers: z.optional(CustomHeaders),
	status: z.optional(EndpointStatus),
});

export const WebhookEndpoint = z.object({
	id: Id,
	workspace_id: Id,
	url: z.string(),
	description: z.nullable(z.string()),
	events: z.readonly(z.array(EventKind)),
	status: EndpointStatus,
	disabled_reason: z.nullable(DisabledReason),
	header_names: z.readonly(z.array(z.string())),
	created_at: Timestamp,
	updated_at: Timestamp,
});
export const WebhookEndpointResponse = single(WebhookEndpoint);
/** The responses to creating an endpoint and to rotating its secret. Only these two responses contain the secret. */
export const WebhookEndpointWithSecret = z.extend(WebhookEndpoint, { secret: z.string() });
export const WebhookEndpointSecretResponse = single(WebhookEndpointWithSecret);
/** A workspace has at most 20 endpoints, so the list always has one page. */
export const WebhookEndpointListResponse = listOf(WebhookEndpoint);

export const RotateSecret = z.strictObject({
	overlap_seconds: z._default(z.optional(z.int().check(z.minimum(0), z.maximum(604_800))), 86_400),
});
export const TestWebhookEndpoint = z.strictObject({ event: z._default(z.optional(EventKind), 'call.requested') });
export const RecoverWebhookEndpoint = z.strictObject({
	since: Instant,
	until: z.optional(Instant),
	mode: z._default(z.optional(z.enum(['failed', 'missing'])), 'failed'),
	dry_run: z._default(z.optional(z.boolean()), false),
	cursor: z.optional(z.string().check(z.maxLength(1000))),
});
export const Recovery = z.object({
	dry_run: z.boolean(),
	matched: z.int(),
	queued: z.int(),
	next_cursor: z.nullable(z.string()),
});
export const RecoverWebhookEndpointResponse = single(Recovery);

export const createWebhookEndpoint = route('create-webhook-endpoint', 'POST', '/webhook-endpoints', {
	summary: 'Create a webhook endpoint',
	permission: 'webhooks:write',
	idempotent: true,
	success: 201,
	body: CreateWebhookEndpoint,
	response: WebhookEndpointSecretResponse,
	refusals: ['webhook_url_not_allowed', 'limit_reached'],
});

export const listWebhookEndpoints = route('list-webhook-endpoints', 'GET', '/webhook-endpoints', {
	summary: 'List webhook endpoints',
	permission: 'webhooks:read',
	query: OnePageQuery,
	response: WebhookEndpointListResponse,
});

export const getWebhookEndpoint = route('get-webhook-endpoint', 'GET', '/webhook-endpoints/{id}', {
	summary: 'Get a webhook endpoint',
	permission: 'webhooks:read',
	conditional: true,
	params: IdParams,
	response: WebhookEndpointResponse,
});

export const changeWebhookEndpoint = route('change-webhook-endpoint', 'PATCH', '/webhook-endpoints/{id}', {
	summary: 'Update a webhook endpoint',
	permission: 'webhooks:write',
	idempotent: true,
	conditional: true,
	params: IdParams,
	body: ChangeWebhookEndpoint,
	response: WebhookEndpointResponse,
	refusals: ['webhook_url_not_allowed'],
});

export const deleteWebhookEndpoint = route('delete-webhook-endpoint', 'DELETE', '/webhook-endpoints/{id}', {
	summary: 'Delete a webhook endpoint',
	permission: 'webhooks:write',
	conditional: true,
	success: 204,
	params: IdParams,
	response: Empty,
});

export const rotateWebhookSecret = route('rotate-webhook-secret', 'POST', '/webhook-endpoints/{id}/rotate-secret', {
	summary: 'Rotate the signing secret',
	permission: 'webhooks:write',
	idempotent: true,
	params: IdParams,
	body: RotateSecret,
	response: WebhookEndpointSecretResponse,
});

export const testWebhookEndpoint = route('test-webhook-endpoint', 'POST', '/webhook-endpoints/{id}/test', {
	summary: 'Send a signed test event and return the attempt',
	permission: 'webhooks:write',
	slow: true,
	params: IdParams,
	body: TestWebhookEndpoint,
	response: AttemptResponse,
});

export const recoverWebhookEndpoint = route('recover-webhook-endpoint', 'POST', '/webhook-endpoints/{id}/recover', {
	summary: 'Resend failed or missing deliveries',
	permission: 'webhooks:write',
	slow: true,
	success: 202,
	params: IdParams,
	body: RecoverWebhookEndpoint,
	response: RecoverWebhookEndpointResponse,
	refusals: ['invalid_cursor', 'endpoint_disabled'],
});

export const webhookEndpointRoutes = [
	createWebhookEndpoint,
	listWebhookEndpoints,
	getWebhookEndpoint,
	changeWebhookEndpoint,
	deleteWebhookEndpoint,
	rotateWebhookSecret,
	testWebhookEndpoint,
	recoverWebhookEndpoint,
] as const;
