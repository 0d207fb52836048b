import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { field } from '../kit/fields.ts';
import { type Form, fieldState, fieldValue, formCard, tick } from '../kit/form.ts';
import { weekdayName } from '../kit/times.ts';
import type { View } from '../kit/view.ts';
import { WEEKDAYS } from './hours-section.ts';

/** Openings of one day that the form has fields for; if a day has more, one more than those. */
const OPENINGS = 2;

/** Weekly hours, holidays and the time zone. */
export const hoursPage = (view: View): Markup => formCard(view, 'save-hours', hoursForm, view.texts.save);

function hoursForm(form: Form): Markup {
	const { texts } = form.view;
	const { always_open, fields } = texts;
	const nths = Object.keys(form.saved).flatMap((name) => /^from-\d-(\d+)$/.exec(name)?.[1] ?? []);
	const most = Math.max(OPENINGS, ...nths.map((nth) => Number(nth) + 2));
	const when = fieldValue(form, 'when', (value) => (value === 'always' ? always_open : fields.weekly));
	return html`<fieldset>
${tick('radio', 'when', 'always', when.value, always_open)}
${tick('radio', 'when', 'hours', when.value, fields.weekly)}${when.beside}${fieldValue(form, 'weekly').beside}</fieldset>
<p class="soft">${texts.hours_hint}</p>
<table class="hours">${WEEKDAYS.map((weekday) => dayRow(form, weekday, most))}</table>
${field(form, 'time_zone')}${field(form, 'holidays')}${field(form, 'holiday')}`;
}

function dayRow(form: Form, weekday: number, most: number): Markup {
	const { texts, language } = form.view;
	const day = weekdayName(weekday, language);
	const field = (end: 'from' | 'to', nth: number, label: string): Markup => {
		const name = `${end}-${weekday}-${nth}`;
		const { value, is_wrong, beside } = fieldValue(form, name);
		const spoken = html` aria-label="${fillIn(label, day)}"`;
		return html`<input type="time" name="${name}"${spoken}${fieldState(name, is_wrong)} value="${value}">${beside}`;
	};
	const pairs = Array.from(
		{ length: most },
		(_, nth) => html`<span class="row">${field('from', nth, texts.from_on)}–${field('to', nth, texts.to_on)}</span>`,
	);
	return html`<tr><th scope="row">${day}</th><td>${pairs}</td></tr>`;
}
