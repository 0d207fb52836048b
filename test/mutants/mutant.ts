/** A guard of the product, the edit that takes it away, and the test that is to notice. */
export type Mutant = {
	/** What holds because of it, in words. */
	readonly guard: string;
	/** The file that has it, from the project's root. */
	readonly file: string;
	/** Exact text, once in the file. */
	readonly text: string;
	readonly instead: string;
	/** The test file that fails without it. */
	readonly test: string;
};
