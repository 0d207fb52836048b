import type * as z from 'zod/mini';
import type { Call } from '../../../shared/contract/calls/calls.ts';
import type { Trace } from '../../../shared/domain/trace/span.ts';
import type { ListedMail } from '../../aws/mail.ts';

// The data that the server of the console sends to its pages.

/**
 * How many items of each kind the pages show. The desk lists all calls. Files in the state directory contain all webhooks and
 * all mails.
 */
export const NEWEST = { calls: 30, webhooks: 200, mails: 100 } as const;

/** The content of `.local/stack.json`. */
export type StackFacts = {
	readonly base_url: string;
	readonly console_url: string;
	/** The key that the console requires. The key is in the `#key=` part of the addresses that `npm start` prints. */
	readonly console_key: string;
	readonly demo_url: string;
	readonly desk_url: string;
	readonly desk_owner: string;
	readonly workspace_id: string;
	readonly workspace_key: string;
	readonly api_key: string;
	readonly allowed_origin: string;
	readonly inbox_url: string;
	/** The address at which `npm run listen` receives webhooks. */
	readonly listen_url: string;
};
export type ShownMail = ListedMail;
/** `departments` are the keys of the shop's departments. Null until a person chooses to show departments. */
export type DemoShop = { readonly region: string; readonly language: string; readonly departments: string | null };
export type LogLine = {
	/** The number of the line. The lines of all functions are counted together, so no two lines have the same number. */
	readonly sequence: number;
	readonly at: string;
	readonly level: string;
	readonly function: string;
	readonly text: string;
};
export type ReceivedWebhook = {
	readonly inbox: string;
	readonly received_at: string;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly body: string;
	/** Whether the signature is right. Null if the inbox does not know the secret yet. */
	readonly verified: boolean | null;
	readonly error: string | null;
};
/** A webhook that the inbox has received. `id` sorts by time. `anchor` is the webhook's name in the console's address. */
export type Webhook = ReceivedWebhook & { readonly id: string; readonly anchor: string };
/** A webhook about a call. `created_at` and `status` come from its event. */
export type CallWebhook = Pick<Webhook, 'anchor' | 'received_at' | 'verified'> & {
	readonly event: string;
	readonly created_at: string;
	readonly status: string;
};
/**
 * A call as the API shows it, with the visitor's name. A `CallStory` adds the call's trace and the webhooks that the inbox
 * received, oldest first.
 */
export type ShownCall = z.infer<typeof Call> & { readonly name: string | null };
export type CallStory = {
	readonly id: string;
	readonly call: ShownCall;
	readonly trace: Trace;
	readonly webhooks: readonly CallWebhook[];
};

/** Everything that the console shows: the newest items of each kind. */
export type Shown = {
	readonly calls: readonly CallStory[];
	readonly webhooks: readonly Webhook[];
	readonly mails: readonly ShownMail[];
};
export type Recent = {
	/** Null until the stack has started. */
	readonly stack: StackFacts | null;
	readonly token: string;
	/** Null if nothing has changed since the response whose token the page has sent. */
	readonly shown: Shown | null;
};

/** The time in the time zone of the person at the console, such as `05:31:28.967`. */
export function clockTime(at: string): string {
	const time = new Date(at);
	const pad = (value: number, digits = 2) => String(value).padStart(digits, '0');
	return `${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())}.${pad(time.getMilliseconds(), 3)}`;
}

/**
 * When an item of a list arrived. For an item of today, the text is the time. For an older item, it is the date and the
 * minute. For an item without a time, it is `Invalid Date`: a formatter would throw, and one such item must not stop the
 * page.
 */
export function whenText(at: string): string {
	const time = new Date(at);
	if (time.toDateString() === new Date().toDateString()) return clockTime(at);
	return time.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}
