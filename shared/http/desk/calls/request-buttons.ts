import { dateAt, plusDays } from '../../../domain/workspaces/business-hours.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import type { Waiting } from '../../../use-cases/desk/to-call-back.ts';
import { button, LOUD, QUIET } from '../kit/form.ts';
import type { View } from '../kit/view.ts';

/** The attribute with a button's label and the visitor's name, for screen readers. */
type Label = (text: string) => Markup;

/**
 * The buttons of a waiting request that are used each day: *Call back*, unless the team cannot call back, and *Handled*.
 * `label`: in a list, where labels are short and do not name the visitor.
 */
export function requestButtons({ of, asked: { id }, refused }: Waiting, view: View, label?: Label): readonly Markup[] {
	const { call_back, handled, mark_handled } = view.texts;
	const about = of === 'call' ? { id, of } : { id };
	const back = button(view, { action: 'call-back', ...about }, call_back, html`${LOUD}${label?.(call_back)}`);
	const done = html`${QUIET}${label?.(mark_handled)}`;
	return [
		refused === null ? back : html``,
		button(view, { action: 'handle-request', ...about }, label ? handled : mark_handled, done),
	];
}

/** The button that takes a request off the list without a call. False for a missed call, which no one can dismiss. */
export const dismissButton = ({ of, asked: { id } }: Waiting, view: View): Markup | false =>
	of !== 'call' && button(view, { action: 'dismiss-request', id }, view.texts.dismiss);

/** Why the team cannot call the visitor back now. False if it can. */
export const whyNot = ({ refused }: Waiting, { texts }: View): string | false =>
	refused !== null && texts.refusals[refused];

/**
 * Until when the visitor of a missed call may be called back, after a separator. False if no such time is set, as for a
 * callback request, and if the visitor cannot be called back now.
 */
export function callBy({ of, asked, refused }: Waiting, { texts, time_zone, now_ms }: View): Markup | false {
	const until = of === 'call' && refused === null ? asked.call_back_until : undefined;
	if (until === undefined) return false;
	// The end of a day is the beginning of the next day.
	const last = dateAt(time_zone, Date.parse(until) - 1);
	const today = dateAt(time_zone, now_ms);
	const days = { [today]: texts.call_by.today, [plusDays(today, 1)]: texts.call_by.tomorrow };
	const words = days[last];
	return words !== undefined && html`<span class="soft"> · ${words}</span>`;
}
