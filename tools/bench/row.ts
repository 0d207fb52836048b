/** One line of the table: a measured value and its goal. */
export type Row = {
	readonly what: string;
	readonly goal: string;
	readonly measured: string;
	/** Ratio to the peer in the same run, which you can compare between machines. */
	readonly ratio: string;
};

/** The amount of work: `quick` only shows that everything runs. */
export type Size = 'full' | 'quick';
export type Section = { readonly name: string; readonly run: (size: Size) => Promise<readonly Row[]> };

export function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const ratioOf = (ours: number, theirs: number): string => (ours / theirs).toFixed(2);
export const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

/** Formats the table with every column as wide as its widest cell. */
export function table(rows: readonly Row[]): string {
	const head: Row = { what: 'what', goal: 'goal', measured: 'measured', ratio: 'ratio' };
	const columns = ['what', 'goal', 'measured', 'ratio'] as const;
	const widths = columns.map((column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
	const line = (row: Row): string =>
		columns
			.map((column, n) => row[column].padEnd(widths[n] ?? 0))
			.join('  ')
			.trimEnd();
	return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}
