// Formats results for people. Programs read JSON.

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Formats a result as text: objects as lines of name and value, lists of objects as tables at most `columns` wide. */
export function readable(value: unknown, columns: number): string {
	return linesOf(value, columns).join('\n');
}

function linesOf(value: unknown, columns: number): readonly string[] {
	if (Array.isArray(value)) return listLines(value, columns);
	return isFields(value) ? fieldLines(value, columns) : [scalar(value)];
}

function scalar(value: unknown): string {
	if (value === null || value === undefined || value === '') return '-';
	if (Array.isArray(value)) return value.map(scalar).join(', ') || '-';
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function fieldLines(fields: Fields, columns: number): readonly string[] {
	const entries = Object.entries(fields);
	const width = Math.max(...entries.map(([name]) => name.length));
	return entries.flatMap(([name, value]) => {
		const [first = '-', ...more] = isBlock(value) ? [''] : linesOf(value, columns);
		const label = `${name.padEnd(width)}  ${first}`.trimEnd();
		return isBlock(value)
			? [label, ...indented(linesOf(value, columns - 2), 2)]
			: [label, ...indented(more, width + 2)];
	});
}

/** Whether a value needs its own lines below its name. */
const isBlock = (value: unknown): boolean =>
	Array.isArray(value) ? value.some(isFields) : isFields(value) && Object.keys(value).length > 0;

const indented = (lines: readonly string[], by: number): readonly string[] =>
	lines.map((line) => `${' '.repeat(by)}${line}`);

function listLines(values: readonly unknown[], columns: number): readonly string[] {
	if (values.length === 0) return ['(none)'];
	return values.every(isFields) ? tableLines(values, columns) : values.map(scalar);
}

/** A table, or one block for each row if the terminal is too narrow for it. */
function tableLines(rows: readonly Fields[], columns: number): readonly string[] {
	const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const cells = [names, ...rows.map((row) => names.map((name) => scalar(row[name])))];
	const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
	const total = widths.reduce((sum, width) => sum + width + 2, -2);
	if (total > columns) return rows.flatMap((row, index) => [...(index === 0 ? [] : ['']), ...fieldLines(row, columns)]);
	return cells.map((row) =>
		row
			.map((cell, column) => cell.padEnd(widths[column] ?? 0))
			.join('  ')
			.trimEnd(),
	);
}
