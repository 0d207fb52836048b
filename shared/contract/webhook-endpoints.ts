import * as z from 'zod/mini';
import { eventKinds } from '../domain/event.ts';
import { Id, single, Timestamp } from './common.ts';

const Url = z.string().check(z.minLength(1), z.maxLength(2048));
const Description = z.nullable(z.string().check(z.maxLength(200)));
const Events = z.array(z.enum(eventKinds)).check(
	z.minLength(1),
	z.maxLength(6),
	z.refine((kinds) => new Set(kinds).size === kinds.length, 'must be distinct'),
);

export const CreateWebhookEndpoint = z.object({ url: Url, events: Events, description: z.optional(Description) });
export const ChangeWebhookEndpoint = z.object({
	url: z.optional(Url),
	description: z.optional(Description),
	events: z.optional(Events),
	status: z.optional(z.enum(['enabled', 'disabled'])),
	/** With `status: enabled`: what becomes of the events held meanwhile. */
	resume: z.optional(z.enum(['none', 'all', 'since'])),
	since: z.optional(z.string()),
});

export const WebhookEndpoint = z.object({
	id: Id,
	workspace_id: Id,
	url: z.string(),
	description: z.nullable(z.string()),
	events: z.array(z.enum(eventKinds)),
	status: z.enum(['enabled', 'disabled']),
	disabled_reason: z.nullable(z.enum(['gone', 'failing', 'manual'])),
	created_at: Timestamp,
	updated_at: Timestamp,
});
export const WebhookEndpointResponse = single(WebhookEndpoint);
/** The creation response, and a rotation's: the only ones with the secret. */
export const WebhookEndpointSecretResponse = single(z.extend(WebhookEndpoint, { secret: z.string() }));
