import type { SendResult } from '../domain/webhooks/attempt-outcome.ts';
import type { RefusedTarget } from '../domain/webhooks/ssrf-guard.ts';

export type WebhookRequest = {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
};

/** The verdict on a URL's target, the same at creation, change, test and every attempt. `url`: its normal form. */
export type TargetCheck =
	| { readonly allowed: true; readonly url: string }
	| ({ readonly allowed: false } & TargetRefusal);
/** `hint`: what helps on this deployment; absent: nothing more than a URL that is allowed. */
export type TargetRefusal = RefusedTarget & { readonly hint?: string };

export type WebhookSender = {
	send(request: WebhookRequest): Promise<SendResult>;
	/** Checks the URL and the addresses of its host; connects to nothing. */
	check(url: string): Promise<TargetCheck>;
};
