// Generated from the route table by `node tools/generate/client-methods.ts`.

import type { Calls } from './calling.ts';

/** One method for each operation, by the kind of thing that its path names. */
export function methodsOver(calls: Calls) {
	return {
		calls: {
			...calls.pages('list-calls'),
			/** Get a call. Returns one call. IDs from other workspaces return 404. */
			get: calls.one('get-call'),
			/**
			 * Cancel a call. Hangs up every leg. A call that has already ended is not changed: 409
			 * `call_already_terminal`.
			 */
			cancel: calls.one('cancel-call'),
		},
		callbackLeads: {
			...calls.pages('list-callback-leads'),
			/** Get a callback lead. Returns one lead. IDs from other workspaces return 404. */
			get: calls.one('get-callback-lead'),
			/**
			 * Change the status of a callback lead; never places a call. Every change among the three values is
			 * allowed. Setting the current value changes nothing.
			 */
			update: calls.update('update-callback-lead'),
		},
		webhookEndpoints: {
			/**
			 * Create a webhook endpoint. We check the URL now and again before every delivery: it must be https and
			 * resolve to a public address. The signing secret is returned only in this response.
			 */
			create: calls.create('create-webhook-endpoint'),
			/**
			 * List webhook endpoints. Newest first. A workspace has at most 20 endpoints, so one page always returns
			 * all of them; `limit` has no effect.
			 */
			list: calls.list('list-webhook-endpoints'),
			/** Get a webhook endpoint. Returns one endpoint without its secret. */
			get: calls.one('get-webhook-endpoint'),
			/**
			 * Update a webhook endpoint. Omitted members keep their values. While an endpoint is disabled its
			 * deliveries are held. Enabling it sends none of them: `recover` does.
			 */
			change: calls.update('change-webhook-endpoint'),
			/** Delete a webhook endpoint. Stops all deliveries to it. Deleting it again returns 404. */
			delete: calls.remove('delete-webhook-endpoint'),
			/**
			 * Rotate the signing secret. Creates a signing secret and returns it. During the overlap every live
			 * secret signs, so that your receiver can switch at any time. At most 5 secrets are live: one more
			 * rotation retires the oldest at once.
			 */
			rotateSecret: calls.oneWithOptions('rotate-webhook-secret'),
			/**
			 * Send a signed test event and return the attempt. Sends an event about a made-up call or lead, signed
			 * like every delivery. It is neither stored nor retried. It times out after 5 seconds. Limit: 10 a minute
			 * for each workspace.
			 */
			test: calls.oneWithOptions('test-webhook-endpoint'),
			/**
			 * Redelivers what failed since a time; with `dry_run` it only counts. It requests one part after the
			 * other and returns their sum. If it throws, call it again: what was sent meanwhile is not sent twice.
			 */
			recover: calls.oneWith('recover-webhook-endpoint'),
		},
		webhookDeliveries: {
			...calls.pages('list-webhook-deliveries'),
			/**
			 * Get a webhook delivery with what it sends and its attempts. Returns one delivery with the body and the
			 * headers that are sent, and every attempt: its timings, and the start of the response body.
			 */
			get: calls.one('get-webhook-delivery'),
			/**
			 * Retry a webhook delivery. Sends the event again with the same event id and a new signature, also if it
			 * succeeded before.
			 */
			retry: calls.one('retry-webhook-delivery'),
		},
		events: {
			...calls.pages('list-events'),
			/** Get an event. Returns one event of the last 30 days. It can be found a moment after it was created. */
			get: calls.one('get-event'),
		},
	};
}
