import type { AttemptError, PhaseTimings } from '../domain/delivery.ts';

export type WebhookRequest = {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
};

/** What came of one POST. An HTTP failure is a normal result. */
export type WebhookOutcome =
	| {
			readonly kind: 'response';
			readonly status: number;
			/** Lower-case names; only `retry-after` and `location`. */
			readonly headers: Readonly<Record<string, string>>;
			/** At most 4 KiB, as text. */
			readonly body: string;
			readonly timings: PhaseTimings;
	  }
	| { readonly kind: 'failure'; readonly error: AttemptError; readonly hint: string; readonly timings: PhaseTimings };

/** Where a URL may lead: the same decision at creation, change, test and every attempt. */
export type TargetCheck = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

export type WebhookSender = {
	send(request: WebhookRequest): Promise<WebhookOutcome>;
	/** Checks the URL and what its host resolves to; connects to nothing. */
	check(url: string): Promise<TargetCheck>;
};
