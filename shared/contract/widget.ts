import * as z from 'zod/mini';
import { callStatuses } from '../domain/call.ts';
import { leadStatuses } from '../domain/callback-lead.ts';
import { Id, single } from './common.ts';

/** The body of both creating widget routes. `consent` must be true; that has an error code of its own. */
export const WidgetRequest = z.object({
	workspace_key: z.string().check(z.minLength(1), z.maxLength(100)),
	phone: z.string().check(z.minLength(1), z.maxLength(40)),
	name: z.optional(z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(100)))),
	consent: z.boolean(),
	page_url: z.string().check(z.minLength(1), z.maxLength(2048)),
});
export type WidgetRequest = z.infer<typeof WidgetRequest>;

export const CallRequestResponse = single(
	z.object({ id: Id, status: z.enum(callStatuses), poll_after_ms: z.nullable(z.int()) }),
);
export const LeadCreatedResponse = single(z.object({ id: Id, status: z.enum(leadStatuses) }));

export const WidgetConfigQuery = z.object({ workspace_key: z.string().check(z.minLength(1), z.maxLength(100)) });
export const WidgetConfigResponse = single(
	z.object({
		open: z.boolean(),
		next_open_at: z.nullable(z.string()),
		consent_text: z.string(),
		regions: z.readonly(z.array(z.string())),
	}),
);
