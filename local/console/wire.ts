import type * as z from 'zod/mini';
import type { WebhookDeliveryDetail } from '../../shared/contract/webhooks/webhook-deliveries.ts';
import type { ListedMail } from '../aws/mail.ts';
import type { InspectedEndpoint, InspectedRequest } from '../console-server/inspector.ts';
import type { ListedCall, ListedDelivery, ListedLead, ListedWebhook, ListPage } from '../console-server/lists.ts';
import type { StackFacts as Facts } from '../console-server/stack-facts.ts';
import type { RingLogEntry } from '../phone-network/ring-log.ts';

export type { Facts, ListPage };
export type DeliveryRecord = ListedDelivery;
export type DeliveryDetail = {
	readonly delivery: { readonly data?: z.infer<typeof WebhookDeliveryDetail> };
	readonly request: InspectedRequest | null;
};
export type Endpoint = InspectedEndpoint;
export type CallRecord = ListedCall;
export type LeadRecord = ListedLead;
export type Ring = RingLogEntry;
export type Webhook = ListedWebhook;
export type Mail = ListedMail;
/** The event envelope in a webhook's body. */
export type Envelope = {
	readonly id: string;
	readonly event: string;
	readonly created_at: string;
	readonly data: { readonly id: string; readonly status: string };
};
/** Calls with what their phones did and their webhooks, oldest first. */
export type CallPage = ListPage<CallRecord> & {
	readonly rings: readonly Ring[];
	readonly webhooks: readonly Webhook[];
};

/** What has changed in a workspace since the page last asked. */
export type Changes = {
	/** Null until the stack is up. */
	readonly stack: Facts | null;
	/** To send with the next request. */
	readonly token: string;
	/** The page's token is of another run or workspace, so the page has to read its lists again. */
	readonly reload: boolean;
	readonly calls: readonly CallRecord[];
	readonly leads: readonly LeadRecord[];
	readonly rings: readonly Ring[];
	readonly webhooks: readonly Webhook[];
	/** How many mails arrived, for any workspace. */
	readonly mails: number;
};

const envelopes = new WeakMap<Webhook, Envelope | null>();

/** The envelope of a webhook, or null if its body is something else. */
export function envelopeOf(webhook: Webhook): Envelope | null {
	const earlier = envelopes.get(webhook);
	if (earlier !== undefined) return earlier;
	const envelope = parseEnvelope(webhook.body);
	envelopes.set(webhook, envelope);
	return envelope;
}

function parseEnvelope(body: string): Envelope | null {
	try {
		const parsed: Partial<Envelope> | null = JSON.parse(body);
		const { id, event, created_at, data } = parsed ?? {};
		if (typeof id !== 'string' || typeof event !== 'string' || typeof created_at !== 'string') return null;
		return typeof data?.id === 'string' && typeof data.status === 'string' ? { id, event, created_at, data } : null;
	} catch {
		return null;
	}
}

export function header(webhook: Webhook, name: string): string {
	return String(webhook.headers[name] ?? '');
}

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
