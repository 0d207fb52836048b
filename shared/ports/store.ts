import type { Call } from '../domain/calls/call.ts';
import type { NumberUsage } from '../domain/calls/number-usage.ts';
import type { IdempotencyRecord } from '../domain/kernel/idempotency.ts';
import type { Sealed } from '../domain/kernel/sealed.ts';
import type { CallbackLead } from '../domain/leads/callback-lead.ts';
import type { CallbackLink } from '../domain/leads/callback-link.ts';
import type { TeamNotice } from '../domain/leads/team-notice.ts';
import type { Attempt, Delivery } from '../domain/webhooks/delivery.ts';
import type { Event, EventKind } from '../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import type { ApiKey, ApiKeyUse } from '../domain/workspaces/api-key.ts';
import type { Workspace } from '../domain/workspaces/workspace.ts';

/** An older attempt of a delivery, moved out of it when a newer one took its place. */
export type DeliveryAttempt = {
	readonly delivery_id: string;
	readonly number: number;
	readonly attempt: Attempt;
	readonly expires_at_epoch_s: number;
};
/** Public workspace key -> workspace. */
export type WorkspaceKey = { readonly workspace_key: string; readonly workspace_id: string };
/** One allowed origin of one workspace; a preflight asks whether any exists. */
export type AllowedOrigin = { readonly origin: string; readonly workspace_id: string };
/** A number that only the dialling roles may read, and only they can open. `owner`: see number-owner.ts. */
export type SealedNumber = {
	readonly owner: string;
	readonly sealed: Sealed;
	readonly expires_at_epoch_s: number | null;
};
/**
 * Evidence that the visitor agreed: to what, when, where. It lies under the keyed hash of the number, so that it is also
 * the way from a number to the calls and leads that were asked for with it.
 */
export type Consent = {
	readonly number_hash: string;
	/** The call or lead that owns the number. */
	readonly subject: string;
	readonly workspace_id: string;
	/** The very words that were agreed to. */
	readonly text: string;
	readonly given_at: string;
	readonly page_url: string;
	readonly origin: string;
	readonly address_hash: string;
	readonly expires_at_epoch_s: number;
};

/** How many endpoints a workspace has: changed with every creation and deletion, so that a race cannot pass the limit. */
export type EndpointRoster = { readonly workspace_id: string; readonly version: number; readonly count: number };

/**
 * What waits for an endpoint (`id`) and is to be sent, because the endpoint was enabled or its breaker closed: deliveries
 * from `from_id` on. The sweep goes on with it.
 */
export type Resumption = {
	readonly id: string;
	readonly version: number;
	readonly workspace_id: string;
	readonly from_id: string;
	/** Held deliveries are sent from this id on; null: none. Absent in older records: from `from_id` on. */
	readonly held_from_id?: string | null;
	/** Pending deliveries are brought forward if they were not attempted since then; absent: those the breaker kept waiting. */
	readonly tried_before?: string;
	readonly enabled_at: string;
	readonly due_at: string;
};

/** Every kind of record, by name. */
export type Records = {
	workspace: Workspace;
	workspace_key: WorkspaceKey;
	allowed_origin: AllowedOrigin;
	api_key: ApiKey;
	api_key_use: ApiKeyUse;
	call: Call;
	callback_lead: CallbackLead;
	event: Event;
	webhook_endpoint: WebhookEndpoint;
	endpoint_roster: EndpointRoster;
	resumption: Resumption;
	delivery: Delivery;
	delivery_attempt: DeliveryAttempt;
	idempotency: IdempotencyRecord;
	number_usage: NumberUsage;
	sealed_number: SealedNumber;
	/** A team member's, apart from visitors': no public route may replace one. */
	team_number: SealedNumber;
	consent: Consent;
	team_notice: TeamNotice;
	callback_link: CallbackLink;
};
export type RecordName = keyof Records;

/** What identifies a record of each kind. */
export type RecordKeys = {
	workspace: { readonly id: string };
	workspace_key: { readonly workspace_key: string };
	allowed_origin: { readonly origin: string; readonly workspace_id: string };
	api_key: { readonly id: string };
	api_key_use: { readonly id: string };
	call: { readonly id: string };
	callback_lead: { readonly id: string };
	event: { readonly subject_id: string; readonly kind: EventKind };
	webhook_endpoint: { readonly workspace_id: string; readonly id: string };
	endpoint_roster: { readonly workspace_id: string };
	resumption: { readonly id: string };
	delivery: { readonly id: string };
	delivery_attempt: { readonly delivery_id: string; readonly number: number };
	idempotency: { readonly scope: string };
	number_usage: { readonly number_hash: string };
	sealed_number: { readonly owner: string };
	team_number: { readonly owner: string };
	team_notice: { readonly id: string };
	consent: { readonly number_hash: string; readonly subject: string };
	callback_link: { readonly lead_id: string };
};

/** The condition under which a record is written. */
export type Guard =
	/** It must not exist yet. */
	| { readonly if: 'absent' }
	/** It must still be the version that was read (a new record has version 1). */
	| { readonly if: 'version'; readonly version: number }
	/** It must not exist, or have expired (`expires_at_epoch_s`) although the table still holds it. */
	| { readonly if: 'absent_or_expired'; readonly now_epoch_s: number }
	| { readonly if: 'always' };

export type Put<N extends RecordName = RecordName> = {
	[K in N]: { readonly op: 'put'; readonly record: K; readonly item: Records[K]; readonly guard: Guard };
}[N];
export type Remove<N extends RecordName = RecordName> = {
	[K in N]: { readonly op: 'remove'; readonly record: K; readonly key: RecordKeys[K]; readonly guard: Guard };
}[N];
/** Adds 1 to each named field unless one of them has reached its limit. */
export type Count = {
	readonly op: 'count';
	readonly counter: string;
	readonly limits: Readonly<Record<string, number>>;
	readonly expires_at_epoch_s: number;
};
export type Write = Put | Remove | Count;

/** What a counter that was raised on its own holds now in its named fields. */
export type Counted = { readonly counted: boolean; readonly used: Readonly<Record<string, number>> };

/** `refused` holds the positions of the writes whose guard or limit said no; nothing was written. */
export type CommitOutcome =
	| { readonly committed: true }
	| { readonly committed: false; readonly refused: readonly number[] };

/** Kinds that are listed by workspace, newest first. */
export type ListedName = 'call' | 'callback_lead' | 'event' | 'delivery' | 'api_key';
export type ListRange = {
	/** Inclusive lower bound on the id; null: from the beginning. */
	readonly from_id: string | null;
	/** Exclusive upper bound on the id (a cursor's last id, or the end of a time range); null: up to now. */
	readonly before_id: string | null;
	readonly limit: number;
	/** The other way round: from the lower bound up. */
	readonly oldest_first?: true;
};

/** A timer of the sweep. */
export type Due = {
	readonly record: 'call' | 'delivery' | 'team_notice' | 'resumption';
	readonly id: string;
	readonly due_at: string;
};
/**
 * The sweep visits every shard from 0 on, so the number may grow while older versions still write: their shards are among
 * ours. It must never shrink.
 */
export const DUE_SHARDS = 64;

/**
 * The one table. All reads are consistent except lists and due timers, which trail by moments. Throttling and
 * conflicts are retried here within the caller's budget; when that is spent, it throws `StoreBusy`.
 */
export type Store = {
	get<N extends RecordName>(record: N, key: RecordKeys[N]): Promise<Records[N] | null>;
	/** At most 20, oldest first. */
	endpointsOf(workspace_id: string): Promise<readonly WebhookEndpoint[]>;
	/** Oldest first, without the newest (which the delivery itself holds). */
	attemptsOf(delivery_id: string): Promise<readonly DeliveryAttempt[]>;
	/** What was agreed to with one number, oldest call first, then leads. */
	consentsOf(number_hash: string): Promise<readonly Consent[]>;
	/** Newest first, unless the range says otherwise. */
	list<N extends ListedName>(record: N, workspace_id: string, range: ListRange): Promise<readonly Records[N][]>;
	/** Whether any workspace allows the origin: all that a preflight can ask. */
	anyWorkspaceAllows(origin: string): Promise<boolean>;
	/** What is due by `now` in one of `DUE_SHARDS` shards, soonest first. */
	due(shard: number, now: string, limit: number): Promise<readonly Due[]>;
	/**
	 * Raises a counter outside of any transaction, at half the price, and tells what it holds. `counted` is false, and
	 * nothing was added, if a field had reached its limit. If an answer is lost, the retry may count twice.
	 */
	count(count: Count): Promise<Counted>;
	/** All or nothing. */
	commit(writes: readonly Write[]): Promise<CommitOutcome>;
};

/** The store did not take it in time (throttled, in conflict, unreachable): nothing is known to be written; ask again later. */
export class StoreBusy extends Error {
	override readonly name = 'StoreBusy';
}
