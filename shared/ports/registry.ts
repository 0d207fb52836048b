import type { ApiKey, ApiKeyUse } from '../domain/access/api-key.ts';
import type { CallRecord } from '../domain/calls/call-record.ts';
import type { ClosedDay } from '../domain/calls/closed-day.ts';
import type { NumberUsage } from '../domain/calls/number-usage.ts';
import type { DeskChange } from '../domain/desk/desk-change.ts';
import type { DeskLink, DeskLinkRequest, DeskMailbox } from '../domain/desk/desk-link.ts';
import type { DeskSession } from '../domain/desk/session-cookie.ts';
import type { IdempotencyRecord } from '../domain/kernel/idempotency.ts';
import type { PhoneNumber } from '../domain/kernel/phone-number.ts';
import type { Sealed } from '../domain/kernel/sealed.ts';
import type { CallbackLead } from '../domain/leads/callback-lead.ts';
import type { BlockedAddress } from '../domain/notices/blocked-address.ts';
import type { CallbackLink } from '../domain/notices/callback-link.ts';
import type { FailingRecipient } from '../domain/notices/failing-recipient.ts';
import type { TeamNotice } from '../domain/notices/team-notice.ts';
import type { Attempt, Delivery } from '../domain/webhooks/delivery.ts';
import type { Event, EventKind } from '../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import type { Language } from '../domain/workspaces/language.ts';
import type { SiteUse } from '../domain/workspaces/site-use.ts';
import type { Workspace } from '../domain/workspaces/workspace.ts';

// Every kind of record and every queue of the service. Only this file defines them.

/**
 * An earlier attempt of a delivery. This attempt became a record of its own when a newer attempt replaced it in the
 * delivery.
 */
export type DeliveryAttempt = {
	readonly delivery_id: string;
	readonly number: number;
	readonly attempt: Attempt;
	readonly expires_at_epoch_s: number;
};
export type WorkspaceKey = { readonly workspace_key: string; readonly workspace_id: string };
/** One origin that one workspace allows. A preflight asks whether any workspace allows an origin. */
export type AllowedOrigin = { readonly origin: string; readonly workspace_id: string };
/** An encrypted number. Only the roles that dial may read and decrypt it. For `owner`, see kernel/phone-number.ts. */
export type SealedNumber = {
	readonly owner: string;
	readonly sealed: Sealed;
	readonly expires_at_epoch_s: number | null;
};
/** A team member's number. `number_hash` is made by `numberHash` and shows whether two members have the same phone. */
export type TeamNumber = SealedNumber &
	/** What the rules for a dial need to know about the number. */
	Pick<PhoneNumber, 'region' | 'type'> & {
		readonly number_hash: string;
		/**
		 * The keyed hashes of the number's beginnings, the shortest first (see `beginningHashes`). Absent if the record is
		 * older than this field.
		 */
		readonly beginnings?: readonly string[];
		/** True if the number is in a premium exchange (976 in North America) and the workspace allows this exchange. */
		readonly premium_exchange?: true;
	};
/**
 * Evidence of consent: the text, the time and the page. The key of this record begins with the hash of the number, so that
 * the evidence also leads from a number to the number's calls and leads.
 */
export type Consent = {
	readonly number_hash: string;
	/** The call or lead to which the number belongs. */
	readonly subject: string;
	readonly workspace_id: string;
	readonly text: string;
	/** Null if the page did not say which text it showed. */
	readonly language: Language | null;
	readonly given_at: string;
	readonly page_url: string;
	readonly origin: string;
	readonly address_hash: string;
	readonly expires_at_epoch_s: number;
};

/**
 * The number of a workspace's endpoints. Every creation and deletion changes this record, so that concurrent requests
 * cannot exceed the limit.
 */
export type EndpointRoster = { readonly workspace_id: string; readonly version: number; readonly count: number };

/** A mail address that may be allowed to use the desk of this workspace. The list of people in the workspace decides. */
export type DeskAddress = {
	readonly address: string;
	readonly workspace_id: string;
	/**
	 * When the person last visited the desk (ISO 8601). Further visits on the same day may not be stored. Absent if no visit
	 * was stored. Visits before this field was added were not stored.
	 */
	readonly visited_at?: string;
};

/** Every kind of record: its content (`item`) and what identifies it (`key`). */
type Kinds = {
	workspace: { item: Workspace; key: { readonly id: string } };
	workspace_key: { item: WorkspaceKey; key: { readonly workspace_key: string } };
	allowed_origin: { item: AllowedOrigin; key: { readonly origin: string; readonly workspace_id: string } };
	site_use: { item: SiteUse; key: { readonly workspace_id: string; readonly origin: string } };
	api_key: { item: ApiKey; key: { readonly id: string } };
	api_key_use: { item: ApiKeyUse; key: { readonly id: string } };
	call: { item: CallRecord; key: { readonly id: string } };
	callback_lead: { item: CallbackLead; key: { readonly id: string } };
	event: { item: Event; key: { readonly subject_id: string; readonly kind: EventKind } };
	webhook_endpoint: { item: WebhookEndpoint; key: { readonly workspace_id: string; readonly id: string } };
	endpoint_roster: { item: EndpointRoster; key: { readonly workspace_id: string } };
	delivery: { item: Delivery; key: { readonly id: string } };
	delivery_attempt: { item: DeliveryAttempt; key: { readonly delivery_id: string; readonly number: number } };
	idempotency: { item: IdempotencyRecord; key: { readonly scope: string } };
	number_usage: { item: NumberUsage; key: { readonly number_hash: string } };
	sealed_number: { item: SealedNumber; key: { readonly owner: string } };
	/**
	 * A team member's number. The number is stored apart from visitors' numbers, so that no public route can replace the
	 * number.
	 */
	team_number: { item: TeamNumber; key: { readonly owner: string } };
	consent: { item: Consent; key: { readonly number_hash: string; readonly subject: string } };
	team_notice: { item: TeamNotice; key: { readonly id: string } };
	callback_link: { item: CallbackLink; key: { readonly lead_id: string } };
	desk_address: { item: DeskAddress; key: { readonly address: string; readonly workspace_id: string } };
	desk_link: { item: DeskLink; key: { readonly id: string } };
	desk_mailbox: { item: DeskMailbox; key: { readonly address: string } };
	desk_session: { item: DeskSession; key: { readonly id: string } };
	blocked_address: { item: BlockedAddress; key: { readonly address: string } };
	failing_recipient: { item: FailingRecipient; key: { readonly recipient: string } };
	desk_change: { item: DeskChange; key: { readonly id: string } };
	closed_day: { item: ClosedDay; key: { readonly workspace_id: string; readonly day: string } };
};
export type RecordName = keyof Kinds;
/** A record contains its own key. */
export type Records = { [N in RecordName]: Kinds[N]['item'] & Kinds[N]['key'] };
export type RecordKeys = { [N in RecordName]: Kinds[N]['key'] };

/** The kinds of records that are listed by workspace, newest first. */
export const listedRecords = [
	'call',
	'callback_lead',
	'event',
	'delivery',
	'api_key',
	'desk_change',
] as const satisfies RecordName[];
export type ListedName = (typeof listedRecords)[number];

/**
 * The statuses that have a list of their own, for records about which a person has to do something. Records with other
 * statuses cost nothing for these lists.
 */
export const statusLists: { readonly [N in ListedName]?: readonly ListedStatus[] } = {
	call: ['missed'],
	callback_lead: ['pending'],
	delivery: ['failed', 'held', 'canceled'],
};
export type ListedStatus = 'missed' | 'pending' | 'failed' | 'held' | 'canceled';
/**
 * A part of a workspace's list that can be read without the rest: the records with one status of `statusLists`, or the
 * deliveries of one endpoint.
 */
export type ListPart = { readonly status: ListedStatus } | { readonly endpoint_id: string };

/** The kinds of records with a `due_at`. This is the time at which the sweep has to check the record. */
export const timedRecords = ['call', 'delivery', 'team_notice'] as const satisfies RecordName[];
export type TimedName = (typeof timedRecords)[number];

/**
 * How many partitions the index of due times has, because DynamoDB accepts only 1,000 write units a second for one
 * partition key. Never change this number, because each stored record contains its partition.
 */
export const DUE_SHARDS = 64;

/**
 * What the messages of each queue contain. A message only names records. The worker reads these records, and their state
 * decides what the worker does.
 */
export type Messages = {
	'dial-legs': { readonly call_id: string; readonly leg_id: string };
	'hang-up-legs': { readonly call_id: string; readonly leg_id: string };
	/** Check the call, because its deadline `at` has passed. `at` is null if the sweep sent the message. */
	'call-timers': { readonly call_id: string; readonly at: string | null };
	deliveries: DeliveryMessage;
	retries: DeliveryMessage;
	/** `NoticeMessage`: notify the team, if the notice is still due. `DeskLinkMessage`: mail a link to the desk. */
	'team-notices': NoticeMessage | DeskLinkMessage;
	/** Names an exhausted delivery or a failed notice, so that operators have to watch only one queue. */
	'dead-letters': (DeliveryMessage & { readonly exhausted: true }) | NoticeMessage;
};
export type DeliveryMessage = {
	readonly delivery_id: string;
	readonly generation: number;
	/**
	 * The workspace and the endpoint of the delivery, and its event's key. With these ids, a worker reads the delivery, the
	 * endpoint and the event at once.
	 */
	readonly workspace_id: string;
	readonly endpoint_id: string;
	readonly subject_id: string;
	readonly event: EventKind;
	/** The message comes from the dead-letter queue, where it named an exhausted delivery. Replay that delivery. */
	readonly exhausted?: true | undefined;
};
export type NoticeMessage = { readonly notice_id: string };
/**
 * Asks for a mail with a link to the desk. The address may belong to no desk. `failed_tries` is how many times the mail
 * service has not accepted the mail, and is absent if that has not happened.
 */
export type DeskLinkMessage = DeskLinkRequest & { readonly failed_tries?: number | undefined };
/** The queues of the service: one for each kind of work, and one for messages about work that has failed. */
export type QueueName = keyof Messages;

/** For each queue, the environment variable with its URL. A function has the variables of the queues to which it sends. */
export const queueVariables = {
	'dial-legs': 'QUEUE_URL_DIAL_LEGS',
	'hang-up-legs': 'QUEUE_URL_HANG_UP_LEGS',
	'call-timers': 'QUEUE_URL_CALL_TIMERS',
	deliveries: 'QUEUE_URL_DELIVERIES',
	retries: 'QUEUE_URL_RETRIES',
	'team-notices': 'QUEUE_URL_TEAM_NOTICES',
	'dead-letters': 'QUEUE_URL_DEAD_LETTERS',
} as const satisfies Record<QueueName, string>;
export type QueueVariable = (typeof queueVariables)[QueueName];

/** The queues that a worker consumes. The remaining queue is read only by people. */
export type WorkQueueName = Exclude<QueueName, 'dead-letters'>;
