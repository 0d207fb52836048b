import { sectionSeen } from '../../../domain/desk/section.ts';
import { isOn, MOST_NAME_CHARACTERS, type TeamMember } from '../../../domain/workspaces/team-member.ts';
import { ringOrders, ringStrategies } from '../../../domain/workspaces/workspace.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { readableMask } from '../../../presentation/readable-mask.ts';
import { filled } from '../../../presentation/team-texts.ts';
import type { HttpResponse } from '../../response.ts';
import { shortTime } from './desk-words.ts';
import { button, deskPage, hidden, type View } from './frame.ts';

/** Who is rung, in which order and how; numbers are typed once and then only masks. */
export function teamPage(view: View): HttpResponse {
	const { at, texts } = view;
	const { team, ring_strategy, ring_order } = at.workspace;
	const list =
		team.length === 0
			? html`<p>${texts.no_team}</p>`
			: html`<ul class="list">${team.map((member, place) => memberRow(member, place, view))}</ul>`;
	const seen = sectionSeen('team', at.workspace);
	const option = (value: string, label: string, current: string): Markup =>
		html`<option value="${value}"${{ markup: value === current ? ' selected' : '' }}>${label}</option>`;
	const main = html`${list}
<h2>${texts.add_member}</h2><form method="post" class="card" autocomplete="off">${hidden(view, { act: 'add_member', seen })}
<label for="name">${texts.name}</label><input id="name" name="name" maxlength="${`${MOST_NAME_CHARACTERS}`}">
<label for="phone">${texts.phone}</label><p class="soft" id="phone-hint">${texts.phone_hint}</p><input id="phone" name="phone" type="tel" dir="ltr" required aria-describedby="phone-hint">
<button>${texts.add}</button></form>
<h2>${texts.how_rung}</h2><form method="post" class="card">${hidden(view, { act: 'ringing', seen: sectionSeen('ringing', at.workspace) })}
<label for="ring_strategy">${texts.how_rung}</label><select id="ring_strategy" name="ring_strategy">${ringStrategies.map((each) => option(each, texts.strategy[each], ring_strategy))}</select>
<label for="ring_order">${texts.who_first}</label><select id="ring_order" name="ring_order">${ringOrders.map((each) => option(each, texts.order[each], ring_order))}</select>
<button>${texts.save}</button></form>`;
	return deskPage(view, 'team', main);
}

function memberRow(member: TeamMember, place: number, view: View): Markup {
	const { at, texts, now_ms } = view;
	const seen = sectionSeen('team', at.workspace);
	const name = member.name ?? filled(texts.member, `${place + 1}`);
	const on = isOn(member, now_ms);
	const about = { seen, place: `${place}` };
	const state = on ? texts.is_rung : filled(texts.off_until, shortTime(member.off_until ?? '', view));
	const off = html`${button(view, { act: 'member_off', ...about }, texts.off_today)}
<form method="post" class="row">${hidden(view, { act: 'member_off', ...about })}<label>${texts.back_on} <input type="date" name="back" required></label><button class="quiet">${texts.off_to_date}</button></form>`;
	const up =
		place === 0
			? html``
			: button(view, { act: 'move_up', ...about }, texts.short.move_up, { name: filled(texts.move_up, name) });
	return html`<li><p><strong><bdi>${name}</bdi></strong> <bdi dir="ltr">${readableMask(member.phone_masked)}</bdi></p>
<p class="soft">${state}</p><div class="row">${on ? off : button(view, { act: 'member_on', ...about }, texts.on_again)}
${up}${button(view, { act: 'remove_member', ...about }, texts.short.remove, { name: filled(texts.remove, name) })}</div></li>
`;
}
