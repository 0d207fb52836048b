export type Clock = {
	/** Milliseconds since the Unix epoch. */
	now(): number;
};

/** The time that the platform gives one request. A process handles one request at a time. */
export type TimeLimit = {
	/** A request begins. Its time ends after `leftMs` milliseconds; undefined: it has no limit. */
	begins(leftMs: number | undefined): void;
	/** Milliseconds until calls to AWS have to be over, so that there is time to answer; Infinity: no limit. */
	left_ms(): number;
};
