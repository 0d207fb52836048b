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
	/** The record must still have the version that was read. A new record has version 1. */
	| { readonly if: 'version'; readonly version: number }
	/**
	 * The record must not exist, or must have expired (`expires_at_epoch_s`). The table may still contain an expired
	 * record.
	 */
	| { readonly if: 'absent_or_expired'; readonly now_epoch_s: number }
	| { readonly if: 'always' };

export type Put<N extends RecordName = RecordName> = {
	[K in N]: { readonly op: 'put'; readonly record: K; readonly item: Records[K]; readonly guard: Guard };
}[N];
export type Remove<N extends RecordName = RecordName> = {
	[K in N]: { readonly op: 'remove'; readonly record: K; readonly key: RecordKeys[K]; readonly guard: Guard };
}[N];
/**
 * Adds 1 to each field of a counter that `limits` names. If one of these fields has reached its limit, nothing is added.
 */
export type Count = {
	readonly op: 'count';
	readonly counter: string;
	/**
	 * A counter may consist of several records, each with its own fields. `place` names one of these records. Absent if the
	 * counter is a single record.
	 */
	readonly place?: string;
	readonly limits: Readonly<Record<string, number>>;
	readonly expires_at_epoch_s: number;
};
export type Write = Put | Remove | Count;

/** Whether a counter was raised outside a transaction (`counted`), and the current values of the fields (`used`). */
export type CountOutcome = { readonly counted: boolean; readonly used: Readonly<Record<string, number>> };

/**
 * One record of a counter with its fields, in no order. The fields are a list, because the figures of a busy shop have
 * 100,000 fields, and going through objects with so many names takes several times as long.
 */
export type CounterPlace = {
	readonly place: string;
	readonly counts: readonly (readonly [field: string, count: number])[];
};

/**
 * `refused` has the positions of the writes that were refused by their guard or by a limit. If `inTime` returned false (see
 * `commit`), `refused` is empty. In both cases, nothing was written.
 */
export type CommitOutcome =
	| { readonly committed: true }
	| { readonly committed: false; readonly refused: readonly number[] };

export type ListRange = {
	/** The lowest id, inclusive. Null if there is no lower bound. */
	readonly from_id: string | null;
	/**
	 * The upper bound of the ids, exclusive (the last id of a cursor, or the end of a time range). Null if there is no
	 * upper bound.
	 */
	readonly before_id: string | null;
	readonly limit: number;
	/** If this field is set, the records come oldest first, beginning at the lower bound. */
	readonly oldest_first?: true;
	/**
	 * If this field is set, only this part of the list is read. The store throws if this kind of record has no such part.
	 */
	readonly part?: ListPart | undefined;
};

export type Due = {
	readonly record: TimedName;
	readonly id: string;
	readonly due_at: string;
};
/**
 * The only table. All reads are consistent, except `list`, `listFields`, `due`, `usedFrom` and `closedDays`, which may be
 * some moments behind. If DynamoDB throttles, or if there are conflicts, the store retries within its budget and then throws
 * `StoreBusy`.
 */
export type Store = {
	get<N extends RecordName>(record: N, key: RecordKeys[N]): Promise<Records[N] | null>;
	/** At most 20 endpoints, oldest first. */
	endpointsOf(workspaceId: string): Promise<readonly WebhookEndpoint[]>;
	/** The earlier attempts, oldest first. The newest attempt is part of the delivery. */
	attemptsOf(deliveryId: string): Promise<readonly DeliveryAttempt[]>;
	/** The consents for one number: first the consents for calls, oldest first, and then the consents for leads. */
	consentsOf(numberHash: string): Promise<readonly Consent[]>;
	/** The workspaces whose desk a mail address may use, oldest first. */
	desksOf(address: string): Promise<readonly DeskAddress[]>;
	/** The records come newest first, unless the range has `oldest_first`. */
	list<N extends ListedName>(record: N, workspaceId: string, range: ListRange): Promise<readonly Records[N][]>;
	/**
	 * Like `list`, but reads only the ids and these fields of the records, for lists that go through hundreds of records to
	 * find a few. Without fields, only the index is read. So an id may be of a record that has just been deleted, or has just
	 * left the part of the list.
	 */
	listFields<N extends ListedName, F extends keyof Records[N]>(
		record: N,
		workspaceId: string,
		range: ListRange,
		fields: readonly F[],
	): Promise<readonly Pick<Records[N], F | 'id'>[]>;
	anyWorkspaceAllows(origin: string): Promise<boolean>;
	/**
	 * The records of one shard (of `DUE_SHARDS`) that are due at `now`, the most overdue first. With `after`, only the
	 * records that come after it in this order.
	 */
	due(shard: number, now: string, limit: number, after: Due | null): Promise<readonly Due[]>;
	/**
	 * Raises a counter outside a transaction, at half the price, and returns its values. If a field has reached its limit,
	 * `counted` is false and nothing is added. If the response is lost, the retry may count twice.
	 */
	count(count: Count): Promise<CountOutcome>;
	/** The current values of a counter's fields; a field that was never raised is absent. */
	used(counter: string): Promise<Readonly<Record<string, number>>>;
	/**
	 * The current values of these records (`places`) of a counter, in no order. A record that was never raised is left out.
	 */
	usedAt(counter: string, places: readonly string[]): Promise<readonly CounterPlace[]>;
	/**
	 * The values of a counter's records from `fromPlace` on and before `beforePlace`, in order. `fromPlace` must not be
	 * empty, because DynamoDB refuses an empty key. The newest values may be missing for some moments, as in lists.
	 */
	usedFrom(counter: string, fromPlace: string, beforePlace?: string): Promise<readonly CounterPlace[]>;
	/**
	 * The stored sums of a workspace's closed days (see `ClosedDay`) from `firstDay` to `lastDay`, in order. The newest
	 * record may be missing for some moments.
	 */
	closedDays(workspaceId: string, firstDay: string, lastDay: string): Promise<readonly ClosedDay[]>;
	/**
	 * Commits all writes or none. Once `inTime` returns false, nothing is sent. If `inTime` returns false before the first
	 * try, the result is a refusal without any refused write. If `inTime` returns false later, `commit` throws `StoreBusy`.
	 */
	commit(writes: readonly Write[], inTime?: () => boolean): Promise<CommitOutcome>;
};

/**
 * The table was throttled, in conflict or out of reach for too long. We do not know whether anything was written. Retry
 * later.
 */
export class StoreBusy extends Error {
	override readonly name = 'StoreBusy';
}
