export type Ids = {
	/**
	 * A new ULID for a moment (epoch milliseconds; by default, now): 26 characters that nobody can guess from another id.
	 * Lists are sorted by ids, and the time range of a list is a range of ids. So for a record that is listed, pass the
	 * moment of its `created_at`.
	 */
	next(atMs?: number): string;
	/** Random bytes from the system's generator. */
	random(bytes: number): Uint8Array;
};
