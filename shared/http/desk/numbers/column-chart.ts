import { html, type Markup } from '../../../presentation/markup.ts';
import { numberIn } from '../../../presentation/team-words.ts';
import type { View } from '../kit/view.ts';

// A column chart that needs no script, and a table of the same figures. The columns run in the direction in which the page is
// written.

const HEIGHT = 128;
/** Room above the tallest column, for its number. */
const TOP = 18;
/**
 * If a chart has at most this many columns, each column has its number above it. Otherwise, a line at the height of the
 * tallest column has the number of this column.
 */
const FEW = 10;

/**
 * A column. `label`: the label of its row in the table. `axis`: what stands below the column. `before`: the figure of an
 * earlier period for comparison, which is drawn as a line across the column.
 */
type Column<P extends string> = {
	readonly label: string;
	readonly axis: Markup;
	readonly parts: Readonly<Record<P, number>>;
	readonly before?: number;
};
type Chart<P extends string> = {
	readonly title: string;
	/** What the columns stand for, such as days. In the table, this is the heading above the labels. */
	readonly of: string;
	/** The parts of each column, from the bottom to the top, each with its words. */
	readonly parts: readonly (readonly [P, string])[];
	/** What the legend and the table call the figure `before` of the columns. Absent if the columns have no such figure. */
	readonly before?: string;
	/**
	 * How many columns a group has. The `axis` of the first column of a group stands below the whole group. If the last
	 * group has fewer columns, nothing stands below it. Absent: there are no groups, and each column has its own `axis`
	 * below it.
	 */
	readonly each?: 6 | 7;
	readonly columns: readonly Column<P>[];
};

export function columnChart<P extends 'answered' | 'missed' | 'other' | 'calls'>(chart: Chart<P>, view: View): Markup {
	const { title, columns, parts, before } = chart;
	const most = Math.max(1, ...columns.map((column) => Math.max(sumOf(column), column.before ?? 0)));
	const number = numberIn(view.language);
	const isFew = columns.length <= FEW;
	const bars = columns.map((column) => {
		const total = number(sumOf(column));
		return html`<li title="${column.label}: ${total}">${bar(column, chart, most, isFew ? total : null)}${chart.each === undefined && html`<span>${column.axis}</span>`}</li>
`;
	});
	const isLegended = parts.length > 1;
	return html`<div class="plot${isFew && ' few'}" role="img" aria-label="${title}">${!isFew && html`<span class="scale">${number(most)}</span>`}<ul>${bars}</ul>${sharedAxis(chart)}</div>
${isLegended && legend(parts, before)}${asTable(chart, view)}`;
}

function sharedAxis({ each, columns }: Chart<string>): Markup | false {
	if (each === undefined) return false;
	const labels = columns.filter((_, nth) => nth % each === 0 && nth + each <= columns.length);
	const hasRest = columns.length % each !== 0;
	const rest = hasRest && html`<span class="rest"></span>`;
	return html`<p class="axis by-${String(each)}">${labels.map(({ axis }) => html`<span>${axis}</span>`)}${rest}</p>`;
}

const sumOf = ({ parts }: Column<string>): number => Object.values(parts).reduce((sum, count) => sum + count, 0);

function bar<P extends string>(
	{ parts, before }: Column<P>,
	chart: Chart<P>,
	most: number,
	total: string | null,
): Markup {
	const tall = (count: number): number => Math.round((count / most) * HEIGHT * 10) / 10;
	const base = TOP + HEIGHT;
	let bottom = base;
	const rects = chart.parts.map(([name]) => {
		const height = tall(parts[name]);
		bottom -= height;
		return html`<rect class="${name}" x="8%" width="84%" y="${bottom.toFixed(1)}" height="${height}"></rect>`;
	});
	const text =
		total !== null && html`<text x="50%" y="${(bottom - 5).toFixed(1)}" text-anchor="middle">${total}</text>`;
	const y = (base - tall(before ?? 0)).toFixed(1);
	const mark = before ? html`<line x1="0" x2="100%" y1="${y}" y2="${y}"></line>` : false;
	return html`<svg width="100%" height="${base}">${rects}${mark}${text}</svg>`;
}

function legend(parts: readonly (readonly [string, string])[], before: string | undefined): Markup {
	const square = html`<rect width="12" height="12" rx="3"></rect>`;
	const items = parts.map(
		([
			name,
			words,
		]) => html`<span><svg class="${name}" width="12" height="12" aria-hidden="true">${square}</svg> ${words}</span>
`,
	);
	const line = html`<svg width="12" height="12" aria-hidden="true"><line x1="0" x2="12" y1="6" y2="6"></line></svg>`;
	return html`<p class="legend plotted soft">${items}${before !== undefined && html`<span>${line} ${before}</span>`}</p>`;
}

/** The figures of the columns as a table, for screen readers and for people who want to know the exact figures. */
function asTable<P extends string>({ of, parts, before, columns, title }: Chart<P>, view: View): Markup {
	const { texts, language } = view;
	const number = numberIn(language);
	const hasBefore = before !== undefined;
	const rows = columns.map((column) => {
		const cells = parts.map(([name]) => html`<td>${number(column.parts[name])}</td>`);
		return html`<tr><th scope="row">${column.label}</th>${cells}${hasBefore && html`<td>${number(column.before ?? 0)}</td>`}</tr>
`;
	});
	const heads = [...parts.map(([, words]) => words), ...(hasBefore ? [before] : [])];
	return html`<details><summary aria-label="${title}: ${texts.as_table}">${texts.as_table}</summary><table class="figures">
<thead><tr><th scope="col">${of}</th>${heads.map((words) => html`<th scope="col">${words}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></details>`;
}
