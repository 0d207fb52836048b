/** The URL that a child posts to, and its secret. */
export type Target = { readonly url: string; readonly host: string; readonly ca_pem: string; readonly secret: string };
export type Where =
	/** The store in memory, to measure only our own code. */
	| { readonly where: 'memory' }
	/** The stand-in for DynamoDB, over its wire protocol. */
	| { readonly where: 'stand-in'; readonly dynamodb_url: string; readonly table: string };

/** `count` deliveries that are already in the queue, after `warm_up` others. */
export type BurstTask = { readonly count: number; readonly warm_up: number; readonly target: Target };
export type BurstResult = { readonly seconds: number; readonly cpu_us: number };

/** Concurrent posts, for both; ours run as functions with a batch each. */
export const BATCH = 10;
export const FUNCTIONS = 5;
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
