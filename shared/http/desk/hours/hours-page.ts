import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import type { Fields } from '../../edge/form-fields.ts';
import { field } from '../kit/fields.ts';
import { type Form, fieldState, fieldValue, formCard, hiddenFields, incomplete, tick } from '../kit/form.ts';
import { longDay, weekdayName } from '../kit/times.ts';
import type { View } from '../kit/view.ts';
import { dropOf, openingsOf, switchesOf, switchOf, WEEKDAYS, withOwnTimes } from './hours-section.ts';
import { longOpenings } from './odd-openings.ts';
import { weekSummary } from './week-summary.ts';

/**
 * The most dates that are shown as chips, so that the page of a shop with hundreds of dates stays small. The list on the page
 * has all dates.
 */
const CHIPS = 12;
const DAY_MS = 86_400_000;

/** Weekly hours, holidays and the time zone. */
export const hoursPage = (view: View): Markup => formCard(view, 'save-hours', hoursForm, view.texts.save);

function hoursForm(form: Form): Markup {
	const { texts } = form.view;
	const { always_open, fields } = texts;
	const when = fieldValue(form, 'when', (value) => (value === 'always' ? always_open : fields.weekly));
	const week = withSwitches(form);
	const days = WEEKDAYS.map((weekday) => dayRow(week, weekday));
	return html`${saveOnEnter(texts.save)}<fieldset>
${tick('radio', 'when', 'always', when.value, always_open)}
${tick('radio', 'when', 'hours', when.value, fields.weekly)}${when.beside}${fieldValue(form, 'weekly').beside}</fieldset>
${keptWeek(form.view)}
<div class="by-hours">${hiddenFields({ by_day: 'yes', ...askedAbout(form) })}
<div class="week" data-part="${texts.wrong.weekly}" data-remove="${texts.remove_hours}">${days}</div>
<p class="soft">${texts.hours_hint}</p>
${daysOff(form)}</div>
${field(form, 'time_zone')}`;
}

/** The very long openings about which the desk has asked, now or in an earlier answer: the next press saves them. */
function askedAbout({ view, entered, is_current }: Form): Fields | false {
	if (entered === null || !is_current) return false;
	const isAsked = view.wrong.some(({ why }) => why === 'weekly_long');
	const long = isAsked ? longOpenings(openingsOf(entered)) : entered['long'];
	return long !== undefined && { long };
}

/** What is said about the week while *Always open* is chosen. A shop that never had a week has nothing to keep. */
function keptWeek(view: View): Markup | false {
	const { texts, at } = view;
	const { business_hours, hours_before } = at.workspace;
	const says = html`<p class="soft hidden-week">${fillIn(texts.week_hidden, texts.fields.weekly)}</p>`;
	if (business_hours !== null) return says;
	return hours_before !== undefined && html`<p class="soft hidden-week">${weekSummary(hours_before, view)}</p>${says}`;
}

/**
 * A button that nobody sees. The key Enter presses the first button of a form, which would otherwise be the one that copies
 * times.
 */
const saveOnEnter = (label: string): Markup =>
	html`<button class="unseen" tabindex="-1" aria-hidden="true">${label}</button>`;

/** Adds the switches of the days to a form. The switches are not stored: a day is open if it has hours. */
function withSwitches(form: Form): Form {
	const { saved, entered } = form;
	const given = entered && { ...withOwnTimes(entered), ...switchesOf(entered) };
	return { ...form, saved: { ...saved, ...switchesOf(saved) }, entered: given };
}

/** The day whose hours can be copied to all open days. The script moves its button if another day becomes the first. */
const firstOpenDay = ({ saved, entered }: Form) =>
	WEEKDAYS.find((weekday) => (entered ?? saved)[switchOf(weekday)] === 'yes') ?? WEEKDAYS[0];

function dayRow(form: Form, weekday: number): Markup {
	const { texts, language } = form.view;
	const day = weekdayName(weekday, language);
	const name = switchOf(weekday);
	const open = fieldValue(form, name, (value) => (value === 'yes' ? texts.open_now : texts.closed));
	const attributes = html`role="switch" name="${name}" value="yes"${open.value === 'yes' && html` checked`}`;
	const [first, ...further] = Array.from({ length: pairsOf(form, weekday) }, (_, nth) => pair(form, weekday, nth));
	const isFilled =
		fieldValue(form, `from-${weekday}-1`).value !== '' || fieldValue(form, `to-${weekday}-1`).value !== '';
	const more = html`<details${isFilled && html` open`}><summary aria-label="${texts.more_hours}"></summary>${further}</details>`;
	const isFirst = weekday === firstOpenDay(form);
	const copy = isFirst && html`<button class="plain" name="copy" value="1">${texts.copy_hours}</button>`;
	return html`<div class="day" role="group" aria-label="${day}" data-next="${endsOn(form, weekday)}">
<label class="choice"><input type="checkbox" ${attributes}>${day}</label>${open.beside}
<div class="pairs">${first}${more}</div>${copy}<p class="soft shut">${texts.closed}</p></div>
`;
}

/**
 * How many pairs of time fields a day has: one pair more than the day has openings, and at least two pairs. No empty pair
 * follows a pair in which a time is missing.
 */
function pairsOf({ saved, entered }: Form, weekday: number): number {
	const given = { ...saved, ...entered };
	const counts = Object.entries(given).flatMap(([name, value]) => {
		const [, at, day, nth] = /^(?:from|to)-((\d)-(\d+))$/.exec(name) ?? [];
		if (Number(day) !== weekday || value === '') return [];
		return Number(nth) + (given[`from-${at}`] && given[`to-${at}`] ? 2 : 1);
	});
	return Math.max(2, ...counts);
}

/**
 * The times of a day's `nth` opening. If it ends on the next day, the name of that day follows, which the script updates.
 * What is wrong with a time stands below both.
 */
function pair(form: Form, weekday: number, nth: number): Markup {
	const { texts, language } = form.view;
	const [from, to] = (['from', 'to'] as const).map((which) => {
		const name = `${which}-${weekday}-${nth}`;
		const spoken = fillIn(texts[`${which}_on`], weekdayName(weekday, language));
		const { value, beside } = fieldValue(form, name);
		const state = html` aria-label="${spoken}"${fieldState(form, name)}`;
		return { value, beside, box: html`<input type="time" name="${name}"${state} value="${value}">` };
	});
	const ends = endsNextDay(from?.value, to?.value) && html`<small class="next">${endsOn(form, weekday)}</small>`;
	return html`<div class="row">${from?.box}–${to?.box}${ends}</div>${from?.beside}${to?.beside}`;
}

/** The words for an opening that ends on the day after `weekday`. */
const endsOn = ({ view: { texts, language } }: Form, weekday: number): string =>
	fillIn(texts.ends_on, weekdayName((weekday + 1) % 7, language));

/** An opening that ends at midnight needs no note. */
const endsNextDay = (from = '', to = ''): boolean => from !== '' && to !== '' && to !== '00:00' && to <= from;

/** The dates on which the shop is closed: the next dates as chips, a calendar that adds a date, and a list of all dates. */
function daysOff(form: Form): Markup {
	const { view, saved, entered } = form;
	const { texts, now_ms, at } = view;
	// The shop's date may be one day before or after the date in UTC.
	const yesterday = new Date(now_ms - DAY_MS).toISOString().slice(0, 10);
	const { business_hours, hours_before } = at.workspace;
	const dates = (business_hours ?? hours_before)?.holidays.filter((date) => date >= yesterday) ?? [];
	const chips = dates.slice(0, CHIPS).map((date) => {
		const name = dropOf(date);
		const day = longDay(date, view);
		const dropped = fieldValue(form, name).value === 'yes' && html` checked`;
		const box = html`<input type="checkbox" name="${name}" value="yes" aria-label="${fillIn(texts.remove, day)}"${dropped}>`;
		return html`<li><label class="date">${box}<span>${day}</span></label></li>`;
	});
	const isListed =
		view.wrong.some(({ name }) => name === 'holidays') ||
		(entered !== null && entered['holidays'] !== saved['holidays']);
	const list = html`<details${isListed && html` open`}><summary>${texts.all_dates}</summary>${field(form, 'holidays')}</details>`;
	return html`<p class="label">${texts.fields.holidays}</p>${chips.length > 0 && html`<ul class="dates">${chips}</ul>`}
${field(form, 'holiday')}${incomplete(texts.wrong.holiday)}${list}`;
}
