import { NUMBER_USAGE_SECONDS } from '../../shared/domain/calls/number-usage.ts';
import { KEPT_SECONDS as TALLY_SECONDS } from '../../shared/domain/calls/tally.ts';
import * as deskLink from '../../shared/domain/desk/desk-link.ts';
import { SESSION_SECONDS } from '../../shared/domain/desk/session-cookie.ts';
import { IDEMPOTENCY_SECONDS } from '../../shared/domain/kernel/idempotency.ts';
import { BLOCKED_ADDRESS_SECONDS } from '../../shared/domain/notices/blocked-address.ts';
import * as callbackLink from '../../shared/domain/notices/callback-link.ts';
import { EVENT_RETENTION_SECONDS } from '../../shared/domain/webhooks/event.ts';
import { SEEN_SECONDS } from '../../shared/domain/workspaces/site-use.ts';
import type { RecordName, Records } from '../../shared/ports/registry.ts';
import { AUDIT_RETENTION_SECONDS } from '../../shared/use-cases/desk/audit-entry.ts';
import { LEAD_NUMBER_SECONDS } from '../../shared/use-cases/leads/capture-lead.ts';
import { CALL_NUMBER_SECONDS } from '../../shared/use-cases/widget/request-call.ts';
import { CONSENT_SECONDS } from '../../shared/use-cases/widget/screen-visitor.ts';

type Expiring = {
	[N in RecordName]: Records[N] extends { readonly expires_at_epoch_s: number | null } ? N : never;
}[RecordName];

/** How many seconds each expiring record is kept. If a record is missing here, this file does not compile. */
export const KEPT: Readonly<Record<Expiring, readonly number[]>> = {
	event: [EVENT_RETENTION_SECONDS],
	delivery: [EVENT_RETENTION_SECONDS],
	delivery_attempt: [EVENT_RETENTION_SECONDS],
	idempotency: [IDEMPOTENCY_SECONDS],
	number_usage: [NUMBER_USAGE_SECONDS],
	sealed_number: [CALL_NUMBER_SECONDS, LEAD_NUMBER_SECONDS],
	team_number: [],
	team_notice: [EVENT_RETENTION_SECONDS],
	consent: [CONSENT_SECONDS],
	callback_link: [callbackLink.CALLBACK_LINK_SECONDS.message + callbackLink.CALLBACK_LINK_REMEMBERED_SECONDS],
	desk_link: [deskLink.DESK_LINK_SECONDS.invitation + deskLink.DESK_LINK_REMEMBERED_SECONDS],
	desk_mailbox: [deskLink.DESK_LINK_SECONDS.invitation + deskLink.DESK_LINK_REMEMBERED_SECONDS],
	desk_session: [SESSION_SECONDS],
	blocked_address: [BLOCKED_ADDRESS_SECONDS],
	failing_recipient: [BLOCKED_ADDRESS_SECONDS],
	desk_change: [AUDIT_RETENTION_SECONDS],
	site_use: [SEEN_SECONDS],
	closed_day: [TALLY_SECONDS],
};
