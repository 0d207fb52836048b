export type Gestures = {
	close(): void;
	/** The visitor changed the number, or its country. */
	type(): void;
	/** The visitor ticked the box, or took the tick away. */
	agree(): void;
	submit(): void;
	/** Prefers a callback to a call now. */
	later(): void;
	again(): void;
	/** Cancels the call before it is connected. */
	cancel(): void;
};
