export type Clock = {
	/** Milliseconds since the Unix epoch. */
	now(): number;
};

/** How much time the platform still gives to the current request. A process handles one request at a time. */
export type TimeLimit = {
	/**
	 * Called when a request begins. The request's time ends after `leftMs` milliseconds. If `leftMs` is undefined, the
	 * request has no limit.
	 */
	begins(leftMs: number | undefined): void;
	/** Milliseconds until calls to AWS must be over, so that there is time to answer. Infinity if there is no limit. */
	left_ms(): number;
};
