import type { Sources } from '../../../domain/calls/source-numbers.ts';
import {
	type MemberNumbers,
	memberNumbers,
	quarterAt,
	shopNumbers,
	tallyCounter,
	tallyFrom,
} from '../../../domain/calls/tally.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { readableMask } from '../../../presentation/readable-mask.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { countText, numberIn } from '../../../presentation/team-words.ts';
import { readSources } from '../../../use-cases/calls/read-sources.ts';
import { itemList } from '../kit/list.ts';
import { hourOfDay, length, shortTime } from '../kit/times.ts';
import type { PageDeps, View } from '../kit/view.ts';
import { sourcesPart } from './sources-part.ts';

const ranges = [7, 30] as const;
export const daysOf = ({ query }: View): number => ranges.find((days) => `${days}` === query['days']) ?? ranges[0];

/** The first quarter hour of the query's days, epoch milliseconds. */
export const figuresStart = (view: View): number => quarterAt(view.now_ms - daysOf(view) * 24 * 3_600_000);

/** The tallies of the query's days, from the beginning of the six hours in which the days begin. */
async function talliesOf(view: View, { store }: PageDeps) {
	const from = tallyFrom(figuresStart(view));
	return { from, tallies: await store.usedFrom(tallyCounter(view.at.workspace.id), from) };
}

/** The pages and campaigns of the query's days. */
export const sourcesOf = async (view: View, deps: PageDeps): Promise<Sources> =>
	readSources(view.at.workspace.id, await talliesOf(view, deps), deps.store);

const figureNames = ['calls', 'answered', 'missed', 'leads', 'handled'] as const;

/** The figures of the last days, and the calls by hour. */
export async function numbersPage(view: View, deps: PageDeps): Promise<Markup> {
	const { texts, language, time_zone, at } = view;
	const fromMs = figuresStart(view);
	const { from, tallies } = await talliesOf(view, deps);
	const sources = await readSources(at.workspace.id, { from, tallies }, deps.store);
	const { by_hour, median_wait_seconds: wait, ...numbers } = shopNumbers(tallies, fromMs, hourOfDay(time_zone));
	const days = daysOf(view);
	const number = numberIn(language);
	const rows = [
		...figureNames.map((name) => [texts.figures[name], number(numbers[name])] as const),
		[texts.figures.wait, wait === null ? '–' : length(wait, language)] as const,
	];
	const links = ranges.map((range) => {
		const mark = range === days ? html`class="button" aria-current="true"` : html`class="button quiet"`;
		return html`<a ${mark} href="numbers?days=${range}">${countText(texts.days, range, language)}</a>`;
	});
	const since = shortTime(new Date(fromMs).toISOString(), view);
	return html`<p class="row">${links}</p>
<p class="soft">${fillIn(texts.counted, since)}</p>
<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<h2>${texts.by_hour}</h2><div class="card"><p class="soft">${fillIn(texts.clock_of, time_zone)}</p>
${hourTable(by_hour, view)}</div>
${at.person.role === 'owner' && memberList(memberNumbers(tallies), from, view)}
${sourcesPart(sources, view)}
<p class="row"><a class="button quiet" href="calls.csv?days=${days}">${texts.csv_calls}</a>
<a class="button quiet" href="leads.csv?days=${days}">${texts.csv_leads}</a>
<a class="button quiet" href="sources.csv?days=${days}">${texts.csv_sources}</a></p>`;
}

/** What each member did since the beginning of a tally, for owners: the team first, then those who have left since. */
function memberList(numbers: ReadonlyMap<string, MemberNumbers>, from: string, view: View): Markup {
	const { texts, language, at } = view;
	const { by_member } = texts;
	const { team, former_members = [] } = at.workspace;
	const number = numberIn(language);
	const names = new Map(former_members.map(({ id, name, phone_masked }) => [id, name ?? phone_masked]));
	const others = [...numbers.keys()].filter((id) => team.every((member) => member.id !== id));
	const people = [
		...team.map(({ id, name, phone_masked }) => [id, name ?? phone_masked] as const),
		...others.map((id) => [id, names.get(id) ?? by_member.former] as const),
	];
	const rows = people.map(([id, name]) => {
		const { rung, took } = numbers.get(id) ?? { rung: 0, took: 0 };
		return html`<li><p><strong><bdi>${readableMask(name)}</bdi></strong></p>
<p class="soft">${by_member.rung} <b>${number(rung)}</b> · ${by_member.took} <b>${number(took)}</b></p></li>`;
	});
	const since = fillIn(by_member.since, shortTime(`${from}Z`, view));
	return html`<h2>${by_member.title}</h2><p class="soft">${since}</p>${itemList(rows, texts.no_team)}`;
}

/** A row for each hour: the calls as a number and as a bar. The text does not shrink on a phone, as in a picture it would. */
function hourTable(byHour: readonly number[], { texts, language }: View): Markup {
	const number = numberIn(language);
	const most = Math.max(1, ...byHour);
	const rows = byHour.map((calls, hour) => {
		const width = `${Math.round((calls / most) * 100)}%`;
		const bar = html`<svg width="100%" height="12" aria-hidden="true"><rect width="${width}" height="12" rx="3"></rect></svg>`;
		return html`<tr><td dir="ltr">${String(hour).padStart(2, '0')}:00</td><td>${number(calls)}</td>
<td>${calls > 0 && bar}</td></tr>`;
	});
	return html`<table class="chart"><thead><tr><th scope="col">${texts.hour}</th>
<th scope="col" colspan="2">${texts.calls}</th></tr></thead><tbody>${rows}</tbody></table>`;
}
