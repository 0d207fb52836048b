/** One line of the result table: a measured value and its goal. */
export type Row = {
	readonly what: string;
	readonly goal: string;
	readonly measured: string;
	/** The ratio to the peer in the same run. It can be compared between machines. */
	readonly ratio: string;
};

export const row = (what: string, goal: string, measured: string, ratio = ''): Row => ({ what, goal, measured, ratio });

/** How much work a run does. `quick` only shows that everything runs. */
export type Size = 'full' | 'quick';
export type Section = { readonly name: string; readonly run: (size: Size) => Promise<readonly Row[]> };

export function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const ratioOf = (ours: number, theirs: number): string => (ours / theirs).toFixed(2);
export const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
