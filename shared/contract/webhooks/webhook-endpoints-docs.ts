import type * as z from 'zod/mini';
import { endpoint_id, lastPage, workspace_id } from '../kernel/example-values.ts';
import { type Docs, pageComponent, withDescriptions } from '../kernel/operation-docs.ts';
import { attempt } from './webhook-deliveries-docs.ts';
import * as schemas from './webhook-endpoints.ts';

const endpoint = {
	id: endpoint_id,
	workspace_id,
	url: 'https://hooks.example.com/call-back',
	description: 'CRM',
	events: ['call.completed', 'call.failed'],
	status: 'enabled',
	disabled_reason: null,
	header_names: ['x-api-key'],
	created_at: '2026-11-02T09:15:00.000Z',
	updated_at: '2026-11-02T09:15:00.000Z',
} satisfies z.infer<typeof schemas.WebhookEndpoint>;
const withSecret = { data: { ...endpoint, secret: 'whsec_ZXhhbXBsZSBvZiBhIHNlY3JldCwgbm90IGEgc2VjcmV0' } };

const CUSTOM_HEADERS =
	'At most 5 headers of your own for every delivery, such as the key of an API gateway: name and value of up to 512 visible ASCII characters. We keep the values sealed and never return them. Reserved names (see docs/webhooks.md) are refused.';

const members = {
	url: 'Where we post events.',
	description: 'Your own note about the endpoint.',
	events: 'Event types the endpoint subscribes to.',
	status: 'We send events to enabled endpoints only.',
	disabled_reason: 'Why the endpoint is disabled; null while it is enabled.',
	header_names: 'Names of your own headers on its deliveries, in lower case. No response holds their values.',
};

const operations = {
	'create-webhook-endpoint': {
		text: 'We check the URL now and again before every delivery: it must be https and resolve to a public address. The signing secret is returned only in this response.',
		body: { url: endpoint.url, events: endpoint.events, description: endpoint.description },
		answer: withSecret,
	},
	'list-webhook-endpoints': {
		text: 'Newest first. A workspace has at most 20 endpoints, so one page always returns all of them; `limit` has no effect.',
		answer: { data: [endpoint], ...lastPage },
	},
	'get-webhook-endpoint': { text: 'Returns one endpoint without its secret.', answer: { data: endpoint } },
	'change-webhook-endpoint': {
		text: 'Omitted members keep their values. While an endpoint is disabled its deliveries are held. Enabling it sends none of them: `recover` does.',
		body: { events: ['call.completed'], status: 'enabled' },
		answer: { data: endpoint },
	},
	'delete-webhook-endpoint': { text: 'Stops all deliveries to it. Deleting it again returns 404.' },
	'rotate-webhook-secret': {
		text: 'Creates a signing secret and returns it. During the overlap every live secret signs, so that your receiver can switch at any time. At most 5 secrets are live: one more rotation retires the oldest at once.',
		body: { overlap_seconds: 3600 },
		answer: withSecret,
	},
	'test-webhook-endpoint': {
		text: 'Sends an event about a made-up call or lead, signed like every delivery. It is neither stored nor retried. It times out after 5 seconds. Limit: 10 a minute for each workspace.',
		body: { event: 'call.completed' },
		answer: { data: attempt },
	},
	'recover-webhook-endpoint': {
		text: 'For a receiver that was down: sends what it missed, spread over time. Deliveries that have succeeded are skipped, so running it twice sends nothing twice. It stops after about 10 seconds: while `next_cursor` is not null, repeat the request with it as `cursor`. Limit: 10 a minute for each workspace.',
		body: { since: '2026-11-09T10:00:00Z', mode: 'failed', dry_run: true },
		answer: { data: { dry_run: false, matched: 12, queued: 12, next_cursor: null } },
	},
} satisfies Docs<typeof schemas.webhookEndpointRoutes>['operations'];

export const webhookEndpointDocs = {
	tag: { name: 'Webhook endpoints', description: 'HTTPS URLs that receive events.' },
	operations,
	components: {
		WebhookEndpoint: withDescriptions(schemas.WebhookEndpoint, {
			description: 'An HTTPS URL of yours and the event types it subscribes to. A workspace has at most 20.',
			members,
		}),
		WebhookEndpointResponse: { schema: schemas.WebhookEndpointResponse },
		WebhookEndpointList: pageComponent(schemas.WebhookEndpointListResponse),
		WebhookEndpointWithSecret: withDescriptions(schemas.WebhookEndpointWithSecret, {
			description: 'An endpoint with the secret that signs its deliveries.',
			members: {
				...members,
				secret: 'Signs every delivery. Returned only in this response and in its idempotent replays: store it now.',
			},
		}),
		WebhookEndpointWithSecretResponse: { schema: schemas.WebhookEndpointSecretResponse },
		Recovery: withDescriptions(schemas.Recovery, {
			description: 'The deliveries found by a recovery.',
			members: {
				dry_run: 'True if deliveries were only counted and nothing was sent.',
				matched: 'How many deliveries the endpoint missed, among the events that this request looked at.',
				queued: 'How many of them are queued to be sent again.',
				next_cursor:
					'Null when the recovery is complete. Otherwise older events are left: send the same request again with this as `cursor`.',
			},
		}),
		RecoveryResponse: { schema: schemas.RecoverWebhookEndpointResponse },
		CreateWebhookEndpoint: withDescriptions(schemas.CreateWebhookEndpoint, {
			members: {
				url: 'A public https URL without credentials or fragment. We store and return it normalised: `https:Example.com` becomes `https://example.com/`.',
				events: '1 to 6 distinct event types.',
				description: 'Your own note about the endpoint. Line breaks become spaces; invisible characters are dropped.',
				headers: CUSTOM_HEADERS,
			},
		}),
		ChangeWebhookEndpoint: withDescriptions(schemas.ChangeWebhookEndpoint, {
			members: {
				url: 'The same rules apply as at creation.',
				description: 'Null removes it.',
				events: '1 to 6 distinct event types. They replace the current ones.',
				headers: `${CUSTOM_HEADERS} They replace the current ones; null removes them.`,
				status: 'Enabling resets the count of failures.',
			},
		}),
		RotateSecret: withDescriptions(schemas.RotateSecret, {
			members: {
				overlap_seconds:
					'How long the older secrets keep signing, in seconds. At most 5 secrets are live: one more retires the oldest at once.',
			},
		}),
		TestWebhookEndpoint: withDescriptions(schemas.TestWebhookEndpoint, {
			members: { event: 'The event type to send.' },
		}),
		RecoverWebhookEndpoint: withDescriptions(schemas.RecoverWebhookEndpoint, {
			members: {
				since: 'Events created at or after this time.',
				until: 'Events created before this time, which must be later than `since`. Default: now.',
				mode: '`failed`: deliveries that ended failed, are held or were canceled. `missing`: also events that have no delivery to this endpoint.',
				dry_run: 'If true, only count the deliveries.',
				cursor: 'The `next_cursor` of the previous response; keep the other members. Valid for 24 hours.',
			},
		}),
	},
} satisfies Docs<typeof schemas.webhookEndpointRoutes>;
