export type Gestures = {
	close(): void;
	type(): void;
	/** The visitor has ticked the box, or has removed the tick. */
	agree(): void;
	submit(): void;
	/** The visitor prefers a callback to a call now. */
	later(): void;
	again(): void;
	cancel(): void;
};
