export type Clock = {
	/** Milliseconds since the Unix epoch. */
	now(): number;
};
