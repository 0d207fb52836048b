import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { sections, seenOf, WEEKDAYS } from '../../desk/sections.ts';
import type { HttpResponse } from '../../response.ts';
import { weekdayName } from './desk-words.ts';
import { type Form, fieldValue, formCard, selectField, textField } from './fields.ts';
import { deskPage, type View } from './frame.ts';

/** Openings of one day that the form has fields for; if a day has more, one more than those. */
const OPENINGS = 2;

/** Weekly hours, holidays and the time zone. */
export function hoursPage(view: View): HttpResponse {
	const { workspace } = view.at;
	const { texts } = view;
	const form = { view, act: 'hours', saved: sections.hours.saved(workspace), seen: seenOf('hours', workspace) };
	const nths = Object.keys(form.saved).flatMap((name) => /^from-\d-(\d+)$/.exec(name)?.[1] ?? []);
	const most = Math.max(OPENINGS, ...nths.map((nth) => Number(nth) + 2));
	const when = fieldValue(form, 'when', (value) => (value === 'always' ? texts.always_open : texts.by_hours));
	const choice = (value: string, label: string): Markup =>
		html`<label class="choice"><input type="radio" name="when" value="${value}"${{ markup: value === when.value ? ' checked' : '' }}>${label}</label>`;
	const zones = [...new Set([form.saved['time_zone'] ?? '', ...Intl.supportedValuesOf('timeZone')])].filter(
		(zone) => zone !== 'UTC',
	);
	const content = html`<fieldset>${choice('always', texts.always_open)}${choice('hours', texts.by_hours)}${when.beside}</fieldset>
<p class="soft">${texts.hours_hint}</p>
<table class="hours">${WEEKDAYS.map((weekday) => dayRow(form, weekday, most))}</table>
${selectField(
	form,
	'time_zone',
	texts.time_zone,
	zones.sort().map((zone) => [zone, zone]),
)}
${textField(form, 'holidays', { label: texts.holidays, hint: texts.holidays_hint, rows: 4, more: ' spellcheck="false"' })}`;
	return deskPage(view, 'hours', formCard(form, content, texts.save));
}

function dayRow(form: Form, weekday: number, most: number): Markup {
	const { texts, language } = form.view;
	const day = weekdayName(weekday, language);
	const field = (end: 'from' | 'to', nth: number, label: string): Markup => {
		const name = `${end}-${weekday}-${nth}`;
		const { value, beside } = fieldValue(form, name);
		return html`<input type="time" name="${name}" aria-label="${fillIn(label, day)}" value="${value}">${beside}`;
	};
	const pairs = Array.from(
		{ length: most },
		(_, nth) => html`<span class="row">${field('from', nth, texts.from_on)}–${field('to', nth, texts.to_on)}</span>`,
	);
	return html`<tr><th scope="row">${day}</th><td>${pairs}</td></tr>`;
}
