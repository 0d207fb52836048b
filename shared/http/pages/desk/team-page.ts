import { isOn, MOST_NAME_CHARACTERS, type TeamMember } from '../../../domain/workspaces/team-member.ts';
import { ringOrders, ringStrategies } from '../../../domain/workspaces/workspace.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { readableMask } from '../../../presentation/readable-mask.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { sections, seenOf } from '../../desk/sections.ts';
import type { HttpResponse } from '../../response.ts';
import { memberName, shortTime } from './desk-words.ts';
import { formCard, selectField, textField } from './fields.ts';
import { button, deskPage, hiddenFields, type View } from './frame.ts';

/** Who is rung, in which order and how; a number is typed once, and then shown only as a mask. */
export function teamPage(view: View): HttpResponse {
	const { texts } = view;
	const { workspace } = view.at;
	const { team } = workspace;
	const seen_state = seenOf('team', workspace);
	const list =
		team.length === 0
			? html`<p class="empty">${texts.no_team}</p>`
			: html`<ul class="list">${team.map((member, place) => memberRow(member, place, seen_state, view))}</ul>`;
	const adding = { view, act: 'member_added', saved: {}, seen: seen_state };
	const ringing = {
		view,
		act: 'ringing',
		saved: sections.ringing.saved(workspace),
		seen: seenOf('ringing', workspace),
	};
	const fields = html`${textField(adding, 'name', { label: texts.name, more: ` maxlength="${MOST_NAME_CHARACTERS}" autocomplete="off"` })}
${textField(adding, 'phone', { label: texts.phone, hint: texts.phone_hint, more: ' type="tel" dir="ltr" required autocomplete="off"' })}`;
	const choices = html`${selectField(
		ringing,
		'ring_strategy',
		texts.how_rung,
		ringStrategies.map((each) => [each, texts.strategy[each]]),
	)}
${selectField(
	ringing,
	'ring_order',
	texts.who_first,
	ringOrders.map((each) => [each, texts.order[each]]),
)}`;
	const main = html`${list}
<h2>${texts.add_member}</h2>${formCard(adding, fields, texts.add)}
<h2>${texts.how_rung}</h2>${formCard(ringing, choices, texts.save)}`;
	return deskPage(view, 'team', main);
}

function memberRow(member: TeamMember, place: number, seen_state: string, view: View): Markup {
	const { texts } = view;
	const name = memberName(view, place);
	const on = isOn(member, view.now_ms);
	const about = { seen: seen_state, place: `${place}` };
	const state = on ? texts.is_rung : fillIn(texts.off_until, shortTime(member.off_until ?? '', view));
	const turn = on
		? button(view, { act: 'member_off', ...about }, texts.off_today)
		: button(view, { act: 'member_on', ...about }, texts.on_again);
	const until = html`<details><summary>${texts.back_on} …</summary><form method="post" class="row">${hiddenFields(view, { act: 'member_off', ...about })}<input type="date" name="back" required aria-label="${texts.back_on}"><button class="quiet">${texts.off_to_date}</button></form></details>`;
	const up =
		place === 0
			? html``
			: button(view, { act: 'member_moved', ...about }, texts.short.move_up, { name: fillIn(texts.move_up, name) });
	return html`<li><p><strong><bdi>${name}</bdi></strong> <bdi dir="ltr">${readableMask(member.phone_masked)}</bdi></p>
<p class="soft"><span class="${on ? 'dot on' : 'dot'}"></span>${state}</p><div class="row">${turn}${up}${button(view, { act: 'member_removed', ...about }, texts.short.remove, { name: fillIn(texts.remove, name) })}</div>${until}</li>
`;
}
