import type { SendResult } from '../domain/webhooks/attempt-outcome.ts';
import type { RefusedTarget } from '../domain/webhooks/ssrf-guard.ts';

export type WebhookRequest = {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
};

/**
 * Whether webhooks may be sent to a URL. The check is the same when an endpoint is created, changed or tested, and before
 * every attempt. `url` is the URL in its normal form.
 */
export type TargetCheck =
	| { readonly allowed: true; readonly url: string }
	| ({ readonly allowed: false } & TargetRefusal);
/** `hint`: what the developer can do on this stack instead of choosing another URL. Absent if there is nothing. */
export type TargetRefusal = RefusedTarget & { readonly hint?: string };

export type WebhookSender = {
	send(request: WebhookRequest): Promise<SendResult>;
	/** Checks the URL and the addresses of its host, without connecting to the host. */
	check(url: string): Promise<TargetCheck>;
};
