import { quarterAt, shopNumbers, tallyCounter, tallyFrom } from '../../../domain/calls/tally.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { countText, numberIn } from '../../../presentation/team-words.ts';
import { hourOfDay, length, shortTime } from './desk-words.ts';
import type { PageDeps, View } from './frame.ts';

/** The ranges, in days. */
const ranges = [7, 30] as const;
export const daysOf = ({ query }: View): number => ranges.find((days) => `${days}` === query['days']) ?? ranges[0];

/** The first quarter hour of the query's days, epoch milliseconds. */
export const startOf = (view: View): number => quarterAt(view.now_ms - daysOf(view) * 24 * 3_600_000);

const figureNames = ['calls', 'answered', 'missed', 'leads', 'handled'] as const;

/** The figures of the last days, and the calls by hour. */
export async function numbersPage(view: View, deps: PageDeps): Promise<Markup> {
	const { texts, language, time_zone } = view;
	const from_ms = startOf(view);
	const tallies = await deps.store.usedFrom(tallyCounter(view.at.workspace.id), tallyFrom(from_ms));
	const { by_hour, median_wait_seconds: wait, ...numbers } = shopNumbers(tallies, from_ms, hourOfDay(time_zone));
	const [days, number] = [daysOf(view), numberIn(language)];
	const rows = [
		...figureNames.map((name) => [texts.figures[name], number(numbers[name])] as const),
		[texts.figures.wait, wait === null ? '–' : length(wait, language)] as const,
	];
	const links = ranges.map((range) => {
		const mark = range === days ? html`class="button" aria-current="true"` : html`class="button quiet"`;
		return html`<a ${mark} href="numbers?days=${range}">${countText(texts.days, range, language)}</a>`;
	});
	const since = shortTime(new Date(from_ms).toISOString(), view);
	return html`<p class="row">${links}</p>
<p class="soft">${fillIn(texts.counted, since)}</p>
<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<h2>${texts.by_hour}</h2><div class="card">${picture(by_hour, texts.by_hour)}
<details><summary>${texts.as_table}</summary>${hourTable(by_hour, view)}</details></div>
<p class="row"><a class="button quiet" href="calls.csv?days=${days}">${texts.csv_calls}</a><a class="button quiet" href="leads.csv?days=${days}">${texts.csv_leads}</a></p>`;
}

/** Bars by hour, each 20 wide and at most 100 high. The table beside it has the same figures. */
function picture(by_hour: readonly number[], name: string): Markup {
	const most = Math.max(1, ...by_hour);
	const bars = by_hour.map((calls, hour) => {
		const height = Math.round((calls / most) * 100);
		return html`<rect x="${hour * 20 + 2}" y="${100 - height}" width="16" height="${height}"></rect>`;
	});
	const marks = [0, 6, 12, 18].map((hour) => html`<text x="${hour * 20 + 2}" y="117">${hour}</text>`);
	return html`<svg class="chart" viewBox="0 0 480 120" role="img" aria-label="${name}">${bars}${marks}</svg>`;
}

function hourTable(by_hour: readonly number[], { texts, language }: View): Markup {
	const number = numberIn(language);
	const rows = by_hour.map((calls, hour) => html`<tr><td>${hour}:00</td><td>${number(calls)}</td></tr>`);
	return html`<table><thead><tr><th scope="col">${texts.hour}</th><th scope="col">${texts.calls}</th></tr></thead><tbody>${rows}</tbody></table>`;
}
