import type * as z from 'zod/mini';
import type { Call } from '../../../shared/contract/calls/calls.ts';
import type { Trace } from '../../../shared/domain/trace/span.ts';
import type { ListedMail } from '../../aws/mail.ts';

// The data that the console's server sends to its pages.

/** How many items the pages show. The desk has all calls; files of the state directory have all webhooks and mails. */
export const NEWEST = { calls: 30, webhooks: 200, mails: 100 } as const;

/** The content of `.local/stack.json`. */
export type StackFacts = {
	readonly base_url: string;
	readonly console_url: string;
	/** Unlocks the console: the fragment `#key=` of the addresses that `npm start` prints. */
	readonly console_key: string;
	readonly demo_url: string;
	readonly desk_url: string;
	readonly desk_owner: string;
	readonly workspace_id: string;
	readonly workspace_key: string;
	readonly api_key: string;
	readonly allowed_origin: string;
	readonly inbox_url: string;
	/** Where `npm run listen` receives webhooks while it runs. */
	readonly listen_url: string;
};
export type ShownMail = ListedMail;
/** `departments`: the keys of the shop's departments; null until a person chooses them. */
export type DemoShop = { readonly region: string; readonly language: string; readonly departments: string | null };
export type LogLine = {
	/** A running number over the lines of all functions. */
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
	/** Null while the inbox does not know the secret. */
	readonly verified: boolean | null;
	readonly error: string | null;
};
/** A webhook as the inbox received it. `id` sorts by time; `anchor` is its name in the console's address. */
export type Webhook = ReceivedWebhook & { readonly id: string; readonly anchor: string };
/** A webhook of a call. `created_at` and `status`: the event's. */
export type CallWebhook = Pick<Webhook, 'anchor' | 'received_at' | 'verified'> & {
	readonly event: string;
	readonly created_at: string;
	readonly status: string;
};
/** A call as the API shows it, with the visitor's name, its trace and, oldest first, the webhooks that the inbox received. */
export type ShownCall = z.infer<typeof Call> & { readonly name: string | null };
export type CallStory = {
	readonly id: string;
	readonly call: ShownCall;
	readonly trace: Trace;
	readonly webhooks: readonly CallWebhook[];
};

/** Everything that the console shows, the newest items of each kind. */
export type Shown = {
	readonly calls: readonly CallStory[];
	readonly webhooks: readonly Webhook[];
	readonly mails: readonly ShownMail[];
};
export type Recent = {
	/** Null until the stack is up. */
	readonly stack: StackFacts | null;
	readonly token: string;
	/** Null: nothing has changed since the answer with the page's token. */
	readonly shown: Shown | null;
};

/** `05:31:28.967`, the visitor's own time. */
export function clockTime(at: string): string {
	const time = new Date(at);
	const pad = (value: number, digits = 2) => String(value).padStart(digits, '0');
	return `${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())}.${pad(time.getMilliseconds(), 3)}`;
}

/**
 * When a listed item came: today's clock time, or the date and minute of an earlier day. `Invalid Date` for an item without a
 * time, because a formatter would throw, and one item must not stop the page.
 */
export function whenText(at: string): string {
	const time = new Date(at);
	if (time.toDateString() === new Date().toDateString()) return clockTime(at);
	return time.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}
