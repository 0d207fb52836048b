export type Gestures = {
	close(): void;
	type(): void;
	/** The visitor ticked the box, or took the tick away. */
	agree(): void;
	submit(): void;
	/** Prefers a callback to a call now. */
	later(): void;
	again(): void;
	cancel(): void;
};
