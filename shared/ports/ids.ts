export type Ids = {
	/** A fresh ULID: 26 characters, not guessable from its neighbours. */
	next(): string;
	/** Random bytes from the system's generator. */
	random(bytes: number): Uint8Array;
};
