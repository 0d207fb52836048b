import type * as z from 'zod/mini';
import type { CallbackLead } from '../../shared/contract/callback-leads.ts';
import type { Call } from '../../shared/contract/calls.ts';
import type { Mail } from '../mail.ts';
import type { RingLogEntry } from '../phone-network/ring-log.ts';
import type { Received } from '../received.ts';
import type { StackFacts } from '../stack-facts.ts';

export type Facts = StackFacts;
export type CallRecord = z.infer<typeof Call>;
export type LeadRecord = z.infer<typeof CallbackLead>;
export type Ring = RingLogEntry;
export type Webhook = Received;
export type { Mail };
/** The event envelope that a webhook's body holds. */
export type Envelope = {
	readonly id: string;
	readonly event: string;
	readonly created_at: string;
	readonly data: { readonly id: string; readonly status: string };
};

/** Everything that the console shows, as it is now. */
export type Snapshot = {
	readonly calls: readonly CallRecord[];
	readonly leads: readonly LeadRecord[];
	readonly rings: readonly Ring[];
	readonly webhooks: readonly Webhook[];
	readonly mails: readonly Mail[];
};

async function read<T>(path: string): Promise<T | null> {
	const response = await fetch(path, { headers: { accept: 'application/json' } });
	if (!response.ok) return null;
	const body: T = await response.json();
	return body;
}

/** The addresses and keys of this stack; null until it is up. */
export async function readFacts(): Promise<Facts | null> {
	return read<Facts | null>('/stack');
}

export async function readSnapshot(): Promise<Snapshot> {
	const [calls, leads, rings, webhooks, mails] = await Promise.all([
		read<{ data: CallRecord[] }>('/calls'),
		read<{ data: LeadRecord[] }>('/leads'),
		read<Ring[]>('/phones'),
		read<Webhook[]>('/inbox'),
		read<Mail[]>('/mailbox'),
	]);
	return {
		calls: calls?.data ?? [],
		leads: leads?.data ?? [],
		rings: rings ?? [],
		webhooks: webhooks ?? [],
		mails: mails ?? [],
	};
}

/** The envelope of a webhook, or null when its body is something else. */
export function envelopeOf({ body }: Webhook): Envelope | null {
	try {
		const parsed: Envelope = JSON.parse(body);
		return parsed;
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
