import * as z from 'zod/mini';
import { eventKinds } from '../../domain/webhooks/event.ts';
import { Id, Timestamp } from '../kernel/common.ts';
import { CallStatus, LeadStatus } from '../vocabulary.ts';

// The bodies of webhooks. The domain writes events as the specification defines them; these schemas only document them.

const LEAD_EVENT = 'callback.requested';
const callEvents = eventKinds.filter((kind) => kind !== LEAD_EVENT);

export const CallEventData = z.object({
	id: Id,
	workspace_id: Id,
	status: CallStatus,
	duration_seconds: z.nullable(z.int()),
});
export const CallEvent = z.object({ id: Id, event: z.enum(callEvents), created_at: Timestamp, data: CallEventData });

export const CallbackEventData = z.object({
	id: Id,
	workspace_id: Id,
	status: LeadStatus,
	source_url: z.string(),
	/** Only if the page gave one. */
	reference: z.optional(z.string()),
	created_at: Timestamp,
});
export const CallbackEvent = z.object({
	id: Id,
	event: z.literal(LEAD_EVENT),
	created_at: Timestamp,
	data: CallbackEventData,
});
