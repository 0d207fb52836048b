import type { Sources } from '../../../domain/calls/source-numbers.ts';
import {
	dayNumbers,
	firstBlockFrom,
	hasAllSince,
	memberNumbers,
	type ShopNumbers,
	type Summed,
	shopNumbers,
	sumUp,
} from '../../../domain/calls/tally.ts';
import { wallClock } from '../../../domain/workspaces/business-hours.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { countText, numberIn, placeOf } from '../../../presentation/team-words.ts';
import { readSources } from '../../../use-cases/calls/read-sources.ts';
import { readTallies } from '../../../use-cases/calls/read-tallies.ts';
import { dayAxis, hourOfDay, hourText, length, shortDay, shortTime } from '../kit/times.ts';
import type { PageDeps, View } from '../kit/view.ts';
import { columnChart } from './column-chart.ts';
import { daysBefore, daysOf, daysShown, ranges } from './days.ts';
import { membersPart } from './members-part.ts';
import { sourcesPart } from './sources-part.ts';

/** The figures of pages and campaigns for the days that the query asks for. */
export async function sourcesOf(view: View, deps: PageDeps): Promise<Sources> {
	const fromMs = blocksFrom(view);
	const tallies = await readTallies(view.at.workspace.id, fromMs, deps);
	return readSources(view.at.workspace.id, tallies, deps.store);
}

/** When the figures begin that are kept for six hours: with the first six hours that begin on the days that are shown. */
const blocksFrom = (view: View): number => Date.parse(`${firstBlockFrom(daysShown(view).span.from_ms)}Z`);

const figureNames = ['calls', 'answered', 'missed', 'leads', 'handled'] as const;

/**
 * The page *Statistics*: the figures of the chosen days beside the figures of equally many earlier days, the calls by day
 * and by hour, what each member did (only for owners), and what pages and campaigns brought.
 */
export async function numbersPage(view: View, deps: PageDeps): Promise<Markup> {
	const { at, now_ms } = view;
	const { span: shown } = daysShown(view);
	const { span: earlier } = daysBefore(view);
	const read = await readTallies(at.workspace.id, earlier.from_ms, deps);
	const summed = sumUp(read.tallies);
	const from = firstBlockFrom(shown.from_ms);
	const tallies = read.tallies.filter(({ place }) => place >= from);
	const sources = await readSources(at.workspace.id, { ...read, from, tallies }, deps.store);
	const hourOf = hourOfDay(view.time_zone);
	const numbers = shopNumbers(summed, shown.from_ms, hourOf);
	const isOld = Date.parse(at.workspace.created_at) <= earlier.from_ms;
	const before =
		isOld && hasAllSince(read.tallies, earlier.from_ms, now_ms)
			? shopNumbers(summed, earlier.from_ms, hourOf, earlier.to_ms)
			: null;
	const note = blocksNote(view);
	const mark = note && html` <sup aria-hidden="true">*</sup>`;
	return html`${head(view)}
${figures(numbers, before, view)}
${byDay(summed, before !== null, view)}
${byHour(numbers.by_hour, view)}
${at.person.role === 'owner' && membersPart(memberNumbers(tallies), mark, view)}
${sourcesPart(sources, blocksFrom(view), mark, view)}
${note}`;
}

/** The links to the ranges of days, and to the files about the chosen days. */
function head(view: View): Markup {
	const { texts, language } = view;
	const days = daysOf(view);
	const links = ranges.map((range) => {
		const current = range === days && html` aria-current="true"`;
		return html`<a href="numbers?days=${range}"${current}>${countText(texts.days, range, language)}</a>`;
	});
	const files = [
		['calls.csv', texts.csv_calls],
		['leads.csv', texts.csv_leads],
		['sources.csv', texts.csv_sources],
	] as const;
	const list = files.map(([file, label]) => html`<li><a href="${file}?days=${days}&amp;words">${label}</a></li>`);
	return html`<div class="beside"><div class="chips">${links}</div>
<details class="files" name="menu"><summary class="button quiet">CSV</summary><ul class="card">${list}</ul></details></div>`;
}

/** The lists of the calls that a figure counts. */
const LISTS = new Map<(typeof figureNames)[number], string>([
	['calls', 'calls'],
	['answered', 'calls?end=completed'],
	['missed', 'calls?end=missed'],
]);

/**
 * Each figure, with its change since the earlier days. The tile of a figure that counts calls is a link to these calls.
 * `before`: null if there are no figures to compare with.
 */
function figures(numbers: ShopNumbers, before: ShopNumbers | null, view: View): Markup {
	const { texts, language } = view;
	const number = numberIn(language);
	const change = numberIn(language, 'exceptZero');
	const rows = figureNames.map((name) => {
		const compared =
			before !== null && html`<dd class="before">${fillIn(texts.before, change(numbers[name] - before[name]))}</dd>`;
		const list = LISTS.get(name);
		const label = texts.figures[name];
		const linked = list === undefined ? label : html`<a href="${list}">${label}</a>`;
		return html`<div><dt>${linked}</dt><dd>${number(numbers[name])}</dd>${compared}</div>
`;
	});
	const { median_wait_seconds: wait } = numbers;
	const waited = html`<div><dt>${texts.figures.wait}</dt><dd>${wait === null ? '–' : length(wait, language)}</dd></div>`;
	const since = fillIn(texts.counted, shortDay(daysShown(view).dates[0] ?? '', view));
	return html`<dl>${rows}${waited}</dl><p class="soft">${since}</p>`;
}

/**
 * A footnote: when the figures of members and of pages begin, if that is later than the first day. People see the sign of the
 * footnote at the titles of these figures. A screen reader does not say the sign, and gets the titles here.
 */
function blocksNote(view: View): Markup | false {
	const { texts, at } = view;
	const fromMs = blocksFrom(view);
	if (fromMs === daysShown(view).span.from_ms) return false;
	const titles = [...(at.person.role === 'owner' ? [texts.by_member.title] : []), texts.sources.title];
	const says = fillIn(texts.in_blocks, shortTime(new Date(fromMs).toISOString(), view));
	const of = html`<span aria-hidden="true">* </span><span class="unseen">${titles.join(' · ')}: </span>`;
	return html`<p class="soft">${of}${says}</p>`;
}

const DAY_MS = 24 * 3_600_000;

/**
 * A column for each day, with conversations, missed calls and other calls. A line across the column shows the calls of the
 * corresponding earlier day, if there are figures to compare with.
 */
function byDay(summed: Summed, isCompared: boolean, view: View): Markup {
	const { texts, time_zone } = view;
	const shown = daysShown(view);
	const earlier = daysBefore(view);
	const clock = wallClock(time_zone);
	/** Midnight on the shop's clock. For 6,000 quarter hours, this is faster than the date as text. */
	const midnight = (atMs: number): number => Math.floor(clock(atMs) / DAY_MS) * DAY_MS;
	const days = dayNumbers(summed, shown.span, midnight);
	const before = dayNumbers(summed, earlier.span, midnight);
	const isLong = shown.dates.length > 7;
	const columns = shown.dates.map((date, nth) => {
		const { calls, answered, missed } = days.get(Date.parse(date)) ?? { calls: 0, answered: 0, missed: 0 };
		const was = before.get(Date.parse(earlier.dates[nth] ?? ''))?.calls ?? 0;
		const axis = dayAxis(date, view, isLong);
		const other = Math.max(0, calls - answered - missed);
		return {
			label: shortDay(date, view),
			axis,
			parts: { answered, missed, other },
			...(isCompared && { before: was }),
		};
	});
	const parts = [
		['answered', texts.figures.answered],
		['missed', texts.figures.missed],
		['other', texts.sources.other],
	] as const;
	const each = isLong && ({ each: 7 } as const);
	const chart = { title: texts.by_day, of: texts.search.day, parts, columns, ...each };
	const drawn = columnChart(isCompared ? { ...chart, before: texts.calls_before } : chart, view);
	return html`<h2>${texts.by_day}</h2><div class="card">${drawn}</div>`;
}

function byHour(calls: readonly number[], view: View): Markup {
	const { texts, time_zone } = view;
	const columns = calls.map((count, hour) => {
		const label = hourText(hour, view);
		return { label, axis: html`${label}`, parts: { calls: count } };
	});
	const chart = {
		title: texts.by_hour,
		of: texts.hour,
		parts: [['calls', texts.calls] as const],
		columns,
		each: 6,
	} as const;
	return html`<h2>${texts.by_hour}</h2><div class="card"><p class="soft">${fillIn(texts.clock_of, placeOf(time_zone))}</p>
${columnChart(chart, view)}</div>`;
}
