import { sectionSeen } from '../../../domain/desk/section.ts';
import type { BusinessHours } from '../../../domain/workspaces/workspace.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { filled } from '../../../presentation/team-texts.ts';
import type { HttpResponse } from '../../response.ts';
import { weekdayName } from './desk-words.ts';
import { deskPage, hidden, type View } from './frame.ts';

/** Monday first. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0] as const;
/** Openings of one day that the form has fields for; days with more have one field more than they have openings. */
const OPENINGS = 2;

/** What a new shop probably wants, until it has hours; only the shop knows its time zone. */
const USUAL: BusinessHours = {
	time_zone: '',
	weekly: WEEKDAYS.slice(0, 5).map((weekday) => ({ weekday, from_minute: 9 * 60, to_minute: 17 * 60 })),
	holidays: [],
};

/** Weekly hours, holidays and the time zone. */
export function hoursPage(view: View): HttpResponse {
	const { at, texts } = view;
	const { business_hours } = at.workspace;
	const hours = business_hours ?? USUAL;
	const most = Math.max(OPENINGS, ...WEEKDAYS.map((weekday) => openingsOn(hours, weekday).length + 1));
	const rows = WEEKDAYS.map((weekday) => dayRow(hours, weekday, most, view));
	const choice = (value: string, label: string, on: boolean): Markup =>
		html`<label class="choice"><input type="radio" name="when" value="${value}"${{ markup: on ? ' checked' : '' }}>${label}</label>`;
	const main = html`<form method="post" class="card">${hidden(view, { act: 'hours', seen: sectionSeen('hours', at.workspace) })}
<fieldset>${choice('always', texts.always_open, business_hours === null)}${choice('hours', texts.by_hours, business_hours !== null)}</fieldset>
<p class="soft">${texts.hours_hint}</p>
<table class="hours">${rows}</table>
<label for="time_zone">${texts.time_zone}</label><select id="time_zone" name="time_zone">${zones(hours.time_zone)}</select>
<label for="holidays">${texts.holidays}</label><p class="soft" id="holidays-hint">${texts.holidays_hint}</p>
<textarea id="holidays" name="holidays" rows="4" aria-describedby="holidays-hint" spellcheck="false">${hours.holidays.join('\n')}</textarea>
<button>${texts.save}</button></form>`;
	return deskPage(view, 'hours', main);
}

const openingsOn = (hours: BusinessHours, weekday: number) => hours.weekly.filter((each) => each.weekday === weekday);

const clock = (minute: number): string =>
	`${String(Math.floor((minute % 1440) / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

function dayRow(hours: BusinessHours, weekday: number, most: number, { texts, language }: View): Markup {
	const openings = openingsOn(hours, weekday);
	const day = weekdayName(weekday, language);
	const pairs = Array.from({ length: most }, (_, n) => {
		const opening = openings[n];
		const field = (end: 'from' | 'to', label: string, minute: number | undefined): Markup =>
			html`<input type="time" name="${`${end}-${weekday}-${n}`}" aria-label="${filled(label, day)}" value="${minute === undefined ? '' : clock(minute)}">`;
		return html`<span class="row">${field('from', texts.from_on, opening?.from_minute)}–${field('to', texts.to_on, opening?.to_minute)}</span>`;
	});
	return html`<tr><th scope="row">${day}</th><td>${pairs}</td></tr>`;
}

function zones(current: string): Markup {
	const all = [...new Set([current, ...Intl.supportedValuesOf('timeZone')])].filter((zone) => zone !== 'UTC').sort();
	return html`${all.map((zone) => html`<option${{ markup: zone === current ? ' selected' : '' }}>${zone}</option>`)}`;
}
