import type { ClosedDay } from '../domain/calls/closed-day.ts';
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import type {
	Consent,
	DeliveryAttempt,
	DeskAddress,
	ListedName,
	ListPart,
	RecordKeys,
	RecordName,
	Records,
	TimedName,
} from './registry.ts';

export type Guard =
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
	/** One of several places of the counter, each with its own fields; absent: it has only one. */
	readonly place?: string;
	readonly limits: Readonly<Record<string, number>>;
	readonly expires_at_epoch_s: number;
};
export type Write = Put | Remove | Count;

/** The current values of the named fields, after a counter was raised outside a transaction. */
export type CountOutcome = { readonly counted: boolean; readonly used: Readonly<Record<string, number>> };

export type CounterPlace = { readonly place: string; readonly used: Readonly<Record<string, number>> };

/**
 * `refused` has the positions of the writes whose guard or limit refused; empty if the time was over. Nothing was written.
 */
export type CommitOutcome =
	| { readonly committed: true }
	| { readonly committed: false; readonly refused: readonly number[] };

export type ListRange = {
	/** Inclusive lower bound on the id; null: from the beginning. */
	readonly from_id: string | null;
	/** Exclusive upper bound on the id (a cursor's last id, or the end of a time range); null: up to now. */
	readonly before_id: string | null;
	readonly limit: number;
	/** Oldest first: from the lower bound up. */
	readonly oldest_first?: true;
	/** Only this part. Throws if the kind has no such part. */
	readonly part?: ListPart | undefined;
};

export type Due = {
	readonly record: TimedName;
	readonly id: string;
	readonly due_at: string;
};
/**
 * The one table. All reads are consistent except lists and due timers, which trail by moments. The store retries throttling and
 * conflicts within the caller's budget, then throws `StoreBusy`.
 */
export type Store = {
	get<N extends RecordName>(record: N, key: RecordKeys[N]): Promise<Records[N] | null>;
	/** At most 20, oldest first. */
	endpointsOf(workspaceId: string): Promise<readonly WebhookEndpoint[]>;
	/** Oldest first, without the newest (which is part of the delivery). */
	attemptsOf(deliveryId: string): Promise<readonly DeliveryAttempt[]>;
	/** The consents of one number: calls, oldest first, then leads. */
	consentsOf(numberHash: string): Promise<readonly Consent[]>;
	/** The workspaces whose desk a mail address may use, oldest first. */
	desksOf(address: string): Promise<readonly DeskAddress[]>;
	/** Newest first, unless the range reverses the order. */
	list<N extends ListedName>(record: N, workspaceId: string, range: ListRange): Promise<readonly Records[N][]>;
	anyWorkspaceAllows(origin: string): Promise<boolean>;
	/** The timers that are due at `now` in one of `DUE_SHARDS` shards, soonest first; only those after `after`, if given. */
	due(shard: number, now: string, limit: number, after: Due | null): Promise<readonly Due[]>;
	/**
	 * Raises a counter outside a transaction, at half the price, and returns its values. If a field has reached its limit,
	 * `counted` is false and nothing is added. If a response is lost, the retry may count twice.
	 */
	count(count: Count): Promise<CountOutcome>;
	/** The current values of a counter's fields, or of one of its places; a field that was never raised is absent. */
	used(counter: string, place?: string): Promise<Readonly<Record<string, number>>>;
	/**
	 * The values in a counter's places from one on (DynamoDB refuses an empty one) and before another, in order. Trails by moments,
	 * as lists do.
	 */
	usedFrom(counter: string, fromPlace: string, beforePlace?: string): Promise<readonly CounterPlace[]>;
	/** What was added up of a workspace's days from one to another, in order. Trails by moments. */
	closedDays(workspaceId: string, firstDay: string, lastDay: string): Promise<readonly ClosedDay[]>;
	/**
	 * All or nothing. Sends nothing once `inTime` is false. If it is false from the start, the result is a refusal without
	 * refused writes; later, this throws `StoreBusy`.
	 */
	commit(writes: readonly Write[], inTime?: () => boolean): Promise<CommitOutcome>;
};

/** Throttled, in conflict or unreachable for too long: it is unknown whether anything was written; retry later. */
export class StoreBusy extends Error {
	override readonly name = 'StoreBusy';
}
