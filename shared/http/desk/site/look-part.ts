import { html, type Markup } from '../../../presentation/markup.ts';
import { fields } from '../kit/fields.ts';
import { formCard, tick } from '../kit/form.ts';
import type { View } from '../kit/view.ts';

/** The look of the widget, and beside it a preview, which the script shows: without one, the widget in it would not run. */
export function lookPart(view: View): Markup {
	const { texts } = view;
	const { look } = texts;
	const phone = tick('radio', 'device', 'phone', 'phone', look.phone);
	const desktop = tick('radio', 'device', 'desktop', 'phone', look.desktop);
	return html`<div class="designer"><div>${formCard(view, 'save-look', fields('accent', 'greeting'), texts.save)}
<p class="soft">${look.hint}</p></div>
<div class="preview" hidden><fieldset class="row"><legend>${look.preview}</legend>${phone}${desktop}</fieldset>
<div class="device"><iframe src="preview" title="${look.preview}"></iframe></div></div></div>`;
}
