export type Ids = {
	/**
	 * A fresh ULID of a moment (epoch milliseconds; without one, of now): 26 characters, not guessable from its neighbours.
	 * Lists and their time ranges go by ids, so what is listed takes the moment of its `created_at`.
	 */
	next(at_ms?: number): string;
	/** Random bytes from the system's generator. */
	random(bytes: number): Uint8Array;
};
