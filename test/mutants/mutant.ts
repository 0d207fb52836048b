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

/** What holds, the text it rests on, and what stands there without it. */
export type Edit = readonly [guard: string, text: string, instead: string];

/** Guards of one file that one test watches. */
export function watched(file: string, test: string, edits: readonly Edit[]): readonly Mutant[] {
	return edits.map(([guard, text, instead]) => ({ guard, file, text, instead, test }));
}

/** How often the text is there; a table that follows the code says once. */
export function timesIn(source: string, { text }: Mutant): number {
	return source.split(text).length - 1;
}
