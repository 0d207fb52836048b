// Formats results for people. Programs get JSON instead.

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A result as text with lines of at most `columns` characters. A word that is longer stays whole. A list of objects becomes a
 * table.
 */
export function readable(value: unknown, columns: number): string {
	return linesOf(value, columns).join('\n');
}

function linesOf(value: unknown, columns: number): readonly string[] {
	if (Array.isArray(value)) return listLines(value, columns);
	return isFields(value) ? fieldLines(value, columns) : wrap(scalar(value), columns);
}

const numberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });
const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{3}Z/g;

/**
 * Formats one value: a time in whole seconds, a number with thousands separators, a list with commas, an object as JSON, and a
 * dash for nothing.
 */
function scalar(value: unknown): string {
	if (value === null || value === undefined || value === '') return '-';
	if (Array.isArray(value)) return value.map(scalar).join(', ') || '-';
	if (typeof value === 'number') return numberFormat.format(value);
	return typeof value === 'object' ? JSON.stringify(value) : String(value).replace(INSTANT, '$1Z');
}

function fieldLines(fields: Fields, columns: number): readonly string[] {
	const entries = Object.entries(fields);
	const width = Math.max(...entries.map(([name]) => name.length));
	return entries.flatMap(([name, value]) => {
		const [first = '-', ...more] = isBlock(value) ? [''] : linesOf(value, columns - width - 2);
		const label = `${name.padEnd(width)}  ${first}`.trimEnd();
		return isBlock(value) ? [label, ...indent(linesOf(value, columns - 2), 2)] : [label, ...indent(more, width + 2)];
	});
}

/** Whether a value needs its own lines below its name. */
const isBlock = (value: unknown): boolean =>
	Array.isArray(value) ? value.some(isFields) : isFields(value) && Object.keys(value).length > 0;

const indent = (lines: readonly string[], by: number): readonly string[] =>
	lines.map((line) => `${' '.repeat(by)}${line}`);

function listLines(values: readonly unknown[], columns: number): readonly string[] {
	if (values.length === 0) return ['(none)'];
	if (values.every(isFields)) return tableLines(values, columns);
	return values.flatMap((value) => {
		const [first = '', ...more] = wrap(scalar(value), columns - 2);
		return [first, ...indent(more, 2)];
	});
}

type Column = { readonly cells: readonly string[]; readonly is_number: boolean };

/**
 * A list of objects as a table. If the terminal is too narrow for the table, its cells are wrapped between words. If that is
 * not enough, each row becomes a block of lines.
 */
function tableLines(rows: readonly Fields[], columns: number): readonly string[] {
	const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const table = names.map((name): Column => {
		const values = rows.map((row) => row[name]);
		const present = values.filter((value) => value != null);
		const is_number = present.length > 0 && present.every((value) => typeof value === 'number');
		return { cells: [name, ...values.map(scalar)], is_number };
	});
	const widths = fittingWidths(table, columns);
	if (widths === null) return rows.flatMap((row, i) => [...(i === 0 ? [] : ['']), ...fieldLines(row, columns)]);
	return Array.from({ length: rows.length + 1 }, (_, row) => rowLines(table, widths, row)).flat();
}

const lengths = (words: readonly string[]): number => Math.max(...words.map(({ length }) => length));

/**
 * Finds the width of each column. A column is never narrower than its longest word. As long as the table is too wide, this
 * function makes one column one character narrower: the widest of those that can be narrower. Null if the table cannot fit.
 */
function fittingWidths(table: readonly Column[], columns: number): readonly number[] | null {
	const least = table.map(({ cells }) => lengths(cells.flatMap((cell) => cell.split(' '))));
	const widths = table.map(({ cells }) => lengths(cells));
	const excess = (): number => widths.reduce((sum, width) => sum + width + 2, -2) - columns;
	while (excess() > 0) {
		const spare = widths.map((width, i) => (width > (least[i] ?? 0) ? width : 0));
		const widest = spare.indexOf(Math.max(...spare));
		if (spare[widest] === 0) return null;
		widths[widest] = (widths[widest] ?? 0) - 1;
	}
	return widths;
}

function rowLines(table: readonly Column[], widths: readonly number[], row: number): readonly string[] {
	const cells = table.map(({ cells: column }, i) => wrap(column[row] ?? '', widths[i] ?? 0));
	return Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, line) =>
		cells
			.map((parts, i) => {
				const part = parts[line] ?? '';
				const width = widths[i] ?? 0;
				return table[i]?.is_number ? part.padStart(width) : part.padEnd(width);
			})
			.join('  ')
			.trimEnd(),
	);
}

/** Divides a text into lines of at most `width` characters. A word that is longer stays whole. */
function wrap(text: string, width: number): readonly string[] {
	const lines: string[] = [];
	for (const word of text.split(' ')) {
		const last = lines.at(-1);
		if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
		else lines[lines.length - 1] = `${last} ${word}`;
	}
	return lines;
}
