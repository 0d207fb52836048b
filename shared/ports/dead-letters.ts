/** A message that was put aside. */
export type DeadLetter = {
	readonly id: string;
	/** Proves that we hold it; good for one hold. */
	readonly receipt: string;
	readonly body: string;
	/** When it was first sent, in epoch milliseconds: its age counts from there. */
	readonly sent_at_ms: number;
};

/** The dead-letter queue, for operators. A message that is received and not dropped comes back when its hold ends. */
export type DeadLetterQueue = {
	/** About how many there are, those held among them. */
	depth(): Promise<number>;
	/** Takes up to 10 and hides them from others for so long; none when none are left. */
	take(count: number, hold_seconds: number): Promise<readonly DeadLetter[]>;
	/** It is dealt with. */
	drop(letter: DeadLetter): Promise<void>;
	/** Others may take it again in a moment. */
	release(letter: DeadLetter): Promise<void>;
};
