import type { ListedName, QueueName, RecordName } from '../shared/ports/registry.ts';

// What a function may access, in the terms of the ports.

export type Capability =
	/** Encrypt phone numbers with the public half of the key, without calling KMS. */
	| 'seal_numbers'
	/** Decrypt phone numbers. Only functions that dial may do this. */
	| 'open_numbers'
	| 'seal_secrets'
	| 'open_secrets'
	/** Make keyed hashes, for example to look up numbers and addresses. */
	| 'macs'
	/** Send requests to the phone provider, or verify its callbacks. */
	| 'telephony'
	/** Read the number that visitors see when they are called. */
	| 'caller_number'
	/** Read whether a phone provider is set up. */
	| 'telephony_presence'
	/** Send mail, only from the deployment's sender. */
	| 'mail'
	/** Read the address at which people's browsers reach the API. */
	| 'public_address'
	/** Read the addresses that a site puts into its pages. */
	| 'site';

/** The operations of the store, the queues and the keys that a function may use. An operation that is absent is not allowed. */
export type Access = {
	/** Read a record by its key. */
	readonly get?: readonly RecordName[];
	/**
	 * Read records of one partition, with one of the store's operations `endpointsOf`, `attemptsOf`, `anyWorkspaceAllows`,
	 * `desksOf` and `closedDays`.
	 */
	readonly query?: readonly (
		| 'webhook_endpoint'
		| 'delivery_attempt'
		| 'allowed_origin'
		| 'desk_address'
		| 'closed_day'
	)[];
	/** Read a workspace's records page by page, newest first. This operation includes reading each record. */
	readonly list?: readonly ListedName[];
	/** Query the index of due times. */
	readonly due?: true;
	readonly put?: readonly RecordName[];
	readonly remove?: readonly RecordName[];
	/**
	 * Add to counters: to all counters, only to the counters of the server API, or only to the counters of the desk's
	 * figures.
	 */
	readonly count?: readonly ('any' | 'api' | 'tally')[];
	readonly used?: true;
	/** Read the tallies for the desk's figures. */
	readonly tallies?: true;
	/** Read the names of the pages and campaigns in the tallies. */
	readonly names?: true;
	readonly send?: readonly QueueName[];
	readonly use?: readonly Capability[];
};

/** An access in its full form: every operation is present, and every list is sorted and without duplicates. */
export type FullAccess = {
	readonly [V in keyof Access]-?: true extends Access[V] ? boolean : Extract<Access[V], readonly unknown[]>;
};
