import * as z from 'zod/mini';
import { eventKinds } from '../domain/webhooks/event.ts';
import { languages } from '../domain/workspaces/language.ts';
import type { Messages, QueueName } from '../ports/registry.ts';

const LegMessage = z.object({ call_id: z.string(), leg_id: z.string() });
const NoticeMessage = z.object({ notice_id: z.string() });
const failed_tries = z.optional(z.int());
const DeskLinkMessage = z.discriminatedUnion('reason', [
	z.object({
		address: z.string(),
		reason: z.literal('sign_in'),
		asked_by: z.optional(z.string()),
		language: z.optional(z.enum(languages)),
		failed_tries,
	}),
	z.object({
		address: z.string(),
		reason: z.literal('invitation'),
		workspace_id: z.string(),
		invited_by: z.optional(z.string()),
		purpose: z.optional(z.literal('notices')),
		failed_tries,
	}),
]);
const Pointer = z.object({
	delivery_id: z.string(),
	generation: z.int(),
	workspace_id: z.string(),
	endpoint_id: z.string(),
	subject_id: z.string(),
	event: z.enum(eventKinds),
	exhausted: z.literal(true),
});
const DeliveryMessage = z.extend(Pointer, { exhausted: z.optional(z.literal(true)) });
/**
 * The schema of every message. Workers check each message on arrival. A message that does not match its schema ends up in
 * the dead-letter queue.
 */
export const messageSchemas = {
	'dial-legs': LegMessage,
	'hang-up-legs': LegMessage,
	'call-timers': z.object({ call_id: z.string(), at: z.nullable(z.string()) }),
	deliveries: DeliveryMessage,
	retries: DeliveryMessage,
	'team-notices': z.union([NoticeMessage, DeskLinkMessage]),
	'dead-letters': z.union([Pointer, NoticeMessage]),
} as const satisfies { readonly [Q in QueueName]: z.ZodMiniType<Messages[Q]> };
