import type { ShopNumbers } from '../../../domain/desk/shop-numbers.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { countText, numberIn } from '../../../presentation/team-words.ts';
import type { HttpResponse } from '../../response.ts';
import { length } from './desk-words.ts';
import { deskPage, type View } from './frame.ts';

/** The ranges, in days. */
export const ranges = [7, 30] as const;

/** The figures of the last days, and the calls by hour. */
export function numbersPage(view: View, numbers: ShopNumbers, days: number): HttpResponse {
	const { texts, language } = view;
	const { figures } = texts;
	const wait = numbers.median_wait_seconds === null ? '–' : length(numbers.median_wait_seconds, language);
	const number = numberIn(language);
	const rows: readonly (readonly [string, string])[] = [
		[figures.calls, number(numbers.calls)],
		[figures.answered, number(numbers.answered)],
		[figures.missed, number(numbers.missed)],
		[figures.leads, number(numbers.leads)],
		[figures.handled, number(numbers.handled)],
		[figures.wait, wait],
	];
	const main = html`<p class="row">${ranges.map((range) => rangeLink(range, days, view))}</p>
<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<h2>${texts.by_hour}</h2><div class="card">${picture(numbers.by_hour, texts.by_hour)}
<details><summary>${texts.as_table}</summary>${hourTable(numbers.by_hour, view)}</details></div>
<p class="row"><a class="button quiet" href="calls.csv?days=${`${days}`}">${texts.csv_calls}</a><a class="button quiet" href="leads.csv?days=${`${days}`}">${texts.csv_leads}</a></p>`;
	return deskPage(view, 'numbers', main);
}

function rangeLink(range: number, days: number, { texts, language }: View): Markup {
	const mark = { markup: range === days ? ' aria-current="true"' : ' ' };
	return html`<a class="${range === days ? 'button' : 'button quiet'}" href="numbers?days=${`${range}`}"${mark}>${countText(texts.days, range, language)}</a>`;
}

const [WIDTH, HEIGHT, LABELS] = [480, 100, 20];

/** Bars by hour. The table beside it has the same figures. */
function picture(by_hour: readonly number[], name: string): Markup {
	const most = Math.max(1, ...by_hour);
	const step = WIDTH / by_hour.length;
	const bars = by_hour.map((calls, hour) => {
		const height = Math.round((calls / most) * HEIGHT);
		return html`<rect x="${`${hour * step + 2}`}" y="${`${HEIGHT - height}`}" width="${`${step - 4}`}" height="${`${height}`}"></rect>`;
	});
	const marks = [0, 6, 12, 18].map(
		(hour) => html`<text x="${`${hour * step + 2}`}" y="${`${HEIGHT + LABELS - 3}`}">${`${hour}`}</text>`,
	);
	return html`<svg class="chart" viewBox="0 0 ${`${WIDTH}`} ${`${HEIGHT + LABELS}`}" role="img" aria-label="${name}">${bars}${marks}</svg>`;
}

function hourTable(by_hour: readonly number[], { texts, language }: View): Markup {
	const number = numberIn(language);
	const rows = by_hour.map((calls, hour) => html`<tr><td>${`${hour}:00`}</td><td>${number(calls)}</td></tr>`);
	return html`<table><thead><tr><th scope="col">${texts.hour}</th><th scope="col">${texts.calls}</th></tr></thead><tbody>${rows}</tbody></table>`;
}
