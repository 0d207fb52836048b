import type * as z from 'zod/mini';
import type { Call } from '../../shared/contract/calls/calls.ts';
import type { CallbackLead } from '../../shared/contract/leads/callback-leads.ts';
import type { WebhookDelivery, WebhookDeliveryDetail } from '../../shared/contract/webhooks/webhook-deliveries.ts';
import type { ListedMail } from '../aws/mail.ts';
import type { InspectedEndpoint, InspectedRequest } from '../console-server/inspector.ts';
import type { Received } from '../console-server/received.ts';
import type { StackFacts as Facts } from '../console-server/stack-facts.ts';
import type { RingLogEntry } from '../phone-network/ring-log.ts';

export type { Facts };
export type DeliveryRecord = z.infer<typeof WebhookDelivery>;
export type DeliveryDetail = {
	readonly delivery: { readonly data?: z.infer<typeof WebhookDeliveryDetail> };
	readonly request: InspectedRequest | null;
};
export type Endpoint = InspectedEndpoint;
export type CallRecord = z.infer<typeof Call>;
export type LeadRecord = z.infer<typeof CallbackLead>;
export type Ring = RingLogEntry;
export type Webhook = Received;
export type Mail = ListedMail;
/** The event envelope in a webhook's body. */
export type Envelope = {
	readonly id: string;
	readonly event: string;
	readonly created_at: string;
	readonly data: { readonly id: string; readonly status: string };
};
/** A page of an API's list; a refusal has neither field. */
export type Listed<T> = { readonly data?: readonly T[]; readonly has_more?: boolean };

/**
 * The current data of the console: the newest items of each kind. Calls and leads are newest first, the others newest last.
 */
export type Snapshot = {
	/** Null until the stack is up. */
	readonly stack: Facts | null;
	readonly calls: Listed<CallRecord>;
	readonly leads: Listed<LeadRecord>;
	readonly rings: readonly Ring[];
	readonly webhooks: readonly Webhook[];
	readonly mails: readonly Mail[];
	/** Visitors' names by call, if they gave one. */
	readonly names: Readonly<Record<string, string>>;
};

const envelopes = new WeakMap<Webhook, Envelope | null>();

/** The envelope of a webhook, or null if its body is something else. */
export function envelopeOf(webhook: Webhook): Envelope | null {
	const known = envelopes.get(webhook);
	if (known !== undefined) return known;
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
