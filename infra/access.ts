import type { ListedName, QueueName, RecordName } from '../shared/ports/registry.ts';

// The access of a function, in the words of the ports.

export type Capability =
	/** Seal phone numbers with the public half of the key, without a call to KMS. */
	| 'seal_numbers'
	/** Decrypt phone numbers, for dialling only. */
	| 'open_numbers'
	| 'seal_secrets'
	| 'open_secrets'
	/** Make the keyed hashes that look up numbers and addresses. */
	| 'macs'
	/** Talk to the telephony provider, or verify its callbacks. */
	| 'telephony'
	/** Know the number that visitors see. */
	| 'caller_number'
	/** Know whether there is a provider at all. */
	| 'telephony_presence'
	/** Send mail, from the one sender. */
	| 'mail'
	/** Know where people's browsers reach the API. */
	| 'public_address'
	/** Know what a site puts into its pages. */
	| 'site';

/** The verbs of the store port, the queues and the keys. A missing one grants nothing. */
export type Access = {
	/** Read one by its key. */
	readonly get?: readonly RecordName[];
	/** Read a partition: `endpointsOf`, `attemptsOf`, `anyWorkspaceAllows`, `desksOf`, `closedDays`. */
	readonly query?: readonly (
		| 'webhook_endpoint'
		| 'delivery_attempt'
		| 'allowed_origin'
		| 'desk_address'
		| 'closed_day'
	)[];
	/** Page through a workspace's records, newest first (which includes reading them). */
	readonly list?: readonly ListedName[];
	/** Query the timer index for due work. */
	readonly due?: true;
	readonly put?: readonly RecordName[];
	readonly remove?: readonly RecordName[];
	/** Add to counters: to all, or only to those of the server API or of the desk's figures. */
	readonly count?: readonly ('any' | 'api' | 'tally')[];
	readonly used?: true;
	/** Read the tallies of the desk's figures. */
	readonly tallies?: true;
	/** Read the names of pages and campaigns in the tallies. */
	readonly names?: true;
	readonly send?: readonly QueueName[];
	readonly use?: readonly Capability[];
};

/** Normalises an access: every verb, with each of its objects once, sorted. */
export type FullAccess = {
	readonly [V in keyof Access]-?: true extends Access[V] ? boolean : Extract<Access[V], readonly unknown[]>;
};
