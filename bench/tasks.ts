/** The URL that a child posts to, and its secret. */
export type Target = { readonly url: string; readonly host: string; readonly ca_pem: string; readonly secret: string };
export type Where =
	/** Store and queue in memory, to measure only our own code. */
	| { readonly where: 'memory' }
	| { readonly where: 'stand-ins'; readonly dynamodb_url: string; readonly sqs_url: string; readonly table: string };

/** At full speed: `count` deliveries that are already in the queue, after `warm_up` others. */
export type BurstTask = { readonly count: number; readonly warm_up: number; readonly target: Target };
export type BurstResult = { readonly seconds: number; readonly cpu_us: number };

/** `per_second` new deliveries for this many seconds; reports when each was committed, by event id, in `nowMs`. */
export type PacedTask = {
	readonly per_second: number;
	readonly seconds: number;
	readonly target: Target;
	/** Deliveries that wait for a receiver that never answers, at the same time. */
	readonly dead: { readonly url: string; readonly waiting: number } | null;
};
export type PacedResult = { readonly committed: Readonly<Record<string, number>> };

/** Concurrent posts, for both; ours run as functions with a batch each. */
export const BATCH = 10;
export const FUNCTIONS = 5;
/** Deliveries at full speed before those at a fixed rate: until then, the engine compiles the code. */
export const WARM_UP = 500;
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
