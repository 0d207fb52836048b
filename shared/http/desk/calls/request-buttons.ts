import { html, type Markup } from '../../../presentation/markup.ts';
import type { Waiting } from '../../../use-cases/desk/to-call-back.ts';
import { button, LOUD } from '../kit/form.ts';
import type { View } from '../kit/view.ts';

/**
 * The buttons of a waiting request: *Call back*, or the reason why the team cannot call back, and the buttons that take the
 * request off the list.
 */
export function requestButtons({ of, asked: { id }, refused }: Waiting, view: View): readonly Markup[] {
	const { call_back, mark_handled, dismiss, refusals } = view.texts;
	const about = of === 'call' ? { id, of } : { id };
	return [
		refused === null
			? button(view, { action: 'call-back', ...about }, call_back, LOUD)
			: html`<span class="soft">${refusals[refused]}</span>`,
		button(view, { action: 'handle-request', ...about }, mark_handled),
		of === 'call' ? html`` : button(view, { action: 'dismiss-request', id }, dismiss),
	];
}
