export type Ids = {
	/**
	 * A new ULID of a moment (epoch milliseconds; default: now): 26 characters, not guessable from its neighbours. Lists and
	 * their time ranges use ids, so a listed record passes the moment of its `created_at`.
	 */
	next(atMs?: number): string;
	/** Random bytes from the system's generator. */
	random(bytes: number): Uint8Array;
};
