import * as z from 'zod/mini';
import { visibleLine } from '../../domain/kernel/visible-line.ts';
import { Id, single, Timestamp, WorkspaceKeyed } from '../kernel/common.ts';
import { CallStatus, LeadStatus } from '../vocabulary.ts';

/** The body of both creating widget routes. `consent` must be true; that has an error code of its own. */
export const WidgetRequest = z.extend(WorkspaceKeyed, {
	/** Read by `readInternational`, which says what is wrong with it. */
	phone: z.string().check(z.maxLength(40)),
	name: z.optional(z.nullable(z.string().check(z.overwrite(visibleLine), z.minLength(1), z.maxLength(100)))),
	consent: z.boolean(),
	page_url: z.string().check(z.minLength(1), z.maxLength(2048)),
});
export type WidgetRequest = z.infer<typeof WidgetRequest>;

export const CallRequest = z.object({ id: Id, status: CallStatus, poll_after_ms: z.nullable(z.int()) });
export const CallRequestResponse = single(CallRequest);
export const LeadCreated = z.object({ id: Id, status: LeadStatus });
export const LeadCreatedResponse = single(LeadCreated);

export const NumberGroups = z.object({ leading: z.string(), sizes: z.string() });
/** How the numbers of one region are written. */
export const NumberGuide = z.object({
	region: z.string(),
	calling_code: z.string(),
	trunk_prefix: z.nullable(z.string()),
	example: z.string(),
	example_national: z.string(),
	pattern: z.string(),
	shortest: z.int(),
	longest: z.int(),
	groups: z.readonly(z.array(NumberGroups)),
});

export const WidgetConfigQuery = WorkspaceKeyed;
export const WidgetConfig = z.object({
	open: z.boolean(),
	next_open_at: z.nullable(Timestamp),
	consent_text: z.string(),
	regions: z.readonly(z.array(z.string())),
	numbers: z.readonly(z.array(NumberGuide)),
});
export const WidgetConfigResponse = single(WidgetConfig);
