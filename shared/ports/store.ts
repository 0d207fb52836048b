import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import type { Consent, DeliveryAttempt, ListedName, RecordKeys, RecordName, Records, TimedName } from './registry.ts';

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
	readonly record: TimedName;
	readonly id: string;
	readonly due_at: string;
};
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
