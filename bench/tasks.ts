/** Where a child posts to, and with which secret. */
export type Target = { readonly url: string; readonly host: string; readonly ca_pem: string; readonly secret: string };
export type Where =
	/** Store and queue in memory: what our own code costs. */
	| { readonly where: 'memory' }
	| { readonly where: 'stand-ins'; readonly dynamodb_url: string; readonly sqs_url: string; readonly table: string };

/** As fast as it goes: `count` deliveries that are there already, after `warm_up` others. */
export type BurstTask = { readonly count: number; readonly warm_up: number; readonly target: Target };
export type BurstResult = { readonly seconds: number; readonly cpu_us: number };

/** `per_second` new ones for so long; when each was committed, by event id, in `nowMs`. */
export type PacedTask = {
	readonly per_second: number;
	readonly seconds: number;
	readonly target: Target;
	/** Deliveries that wait for a receiver that never answers, beside it. */
	readonly dead: { readonly url: string; readonly waiting: number } | null;
};
export type PacedResult = { readonly committed: Readonly<Record<string, number>> };

/** Posts at the same time, in both: ours as functions with a batch each. */
export const BATCH = 10;
export const FUNCTIONS = 5;
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
