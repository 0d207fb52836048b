import { shortened } from '../../../domain/kernel/visible-line.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { hidden, tick } from '../kit/form.ts';
import { MOST_NAME } from '../kit/list.ts';
import type { View } from '../kit/view.ts';

/** The form that rings a member's phone twice, as both sides of a call. False if the team has no member. */
export function testCallForm(view: View): Markup | false {
	const { test_call, member } = view.texts;
	const [first, ...others] = view.at.workspace.team;
	if (first === undefined) return false;
	const members = [first, ...others].map(({ id, name }, nth) =>
		tick('radio', 'member_id', id, first.id, shortened(name ?? fillIn(member, `${nth + 1}`), MOST_NAME)),
	);
	const choice = html`<fieldset><legend>${test_call.whose}</legend>${members}</fieldset>`;
	const whose = others.length === 0 ? { member_id: first.id } : {};
	return html`<form method="post" id="test-call"><p class="soft">${test_call.hint}</p>
${hidden(view, { action: 'place-test-call', ...whose })}${others.length > 0 && choice}
<button class="quiet">${test_call.title}</button></form>`;
}
