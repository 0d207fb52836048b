import { shortened } from '../../../domain/kernel/visible-line.ts';
import { isSilenced, ringableMembers } from '../../../domain/workspaces/silenced-members.ts';
import { isOn, type TeamMember } from '../../../domain/workspaces/workspace.ts';
import { fillMarkup, html, type Markup } from '../../../presentation/markup.ts';
import { readableMask } from '../../../presentation/readable-mask.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { field, fieldOf, fields } from '../kit/fields.ts';
import {
	addForm,
	asks,
	button,
	buttonBeside,
	enteredIn,
	type Form,
	fieldState,
	fieldValue,
	formCard,
	hidden,
	incomplete,
} from '../kit/form.ts';
import { inParts, MOST_NAME, rowMenu, tableList } from '../kit/list.ts';
import { shortTime } from '../kit/times.ts';
import type { ShopDeps, View } from '../kit/view.ts';
import { testCallForm } from './test-call-form.ts';

/**
 * The members of the team, and in which order and how they are rung. A number is typed once. After that, the page shows
 * only its mask.
 */
export function teamPage(view: View, deps: Pick<ShopDeps, 'caller_number'>): Markup {
	const { texts } = view;
	const { team } = view.at.workspace;
	const { shown, first, links } = inParts(view, 'team', team);
	const members = shown.map((member, nth) => memberRow(member, first + nth, view));
	const test = testCallForm(view);
	const caller = view.at.workspace.caller_number ?? deps.caller_number;
	const number = caller && html` (<bdi dir="ltr">${caller}</bdi>)`;
	const [save = '', contactOn = ''] = texts.save_contact.split('{0}');
	const contact = html`<p class="soft">${save}${number}${contactOn}</p>`;
	const heads = [texts.heads.member, texts.call_page.number, texts.heads.rung];
	const isEmpty = members.length === 0;
	const [before = '', after = ''] = texts.team_is.split('{0}');
	const add = { title: texts.add_member, isEmpty, content: fields('member', 'phone'), label: texts.add };
	const addMember = addForm(view, 'add-member', add);
	const list = tableList(heads, members, texts.no_team, 'sheet team');
	return html`<p class="soft">${before}<a href="people">${texts.pages.people}</a>${after}</p>
${editPart(view) ?? (!isEmpty && addMember)}${list}${links}${isEmpty ? addMember : contact}
<div class="halves">${formCard(view, 'save-ringing', fields('ring_strategy', 'ring_order'), texts.save)}
${test && html`<div class="card"><h2>${texts.test_call.title}</h2>${test}</div>`}</div>`;
}

/** The form that changes the member whom the page's address or the refused form names. Null if there is no such member. */
function editPart(view: View): Markup | null {
	const { texts, query, at } = view;
	const { member_id = query['edit'] } = enteredIn(view, { action: 'edit-member' }) ?? {};
	const member = at.workspace.team.find(({ id }) => id === member_id);
	if (member === undefined) return null;
	const { id, name = '', phone_masked } = member;
	const mask = readableMask(phone_masked);
	const keeps = fillMarkup(texts.number_stays, html`<bdi dir="ltr">${mask}</bdi>`);
	const content = (form: Form): Markup => html`<h2 id="edit">${texts.edit_member}: <bdi>${name || mask}</bdi></h2>
${field(form, 'member')}${fieldOf(form, 'phone', PHONE)}<p class="soft">${keeps}</p>`;
	const cancel = html` <a class="button quiet" href="team${partOf(view)}">${texts.cancel}</a>`;
	const subject = { about: { member_id: id }, saved: { member: name } };
	return formCard(view, 'edit-member', content, texts.save, subject, cancel);
}
const PHONE = { more: 'type="tel" dir="ltr" autocomplete="off"' };
/** The query of the part of the list that the page shows. */
const partOf = ({ query }: View): string => (/^\d{1,3}$/.test(query['from'] ?? '') ? `?from=${query['from']}` : '');

function memberRow(member: TeamMember, nth: number, view: View): Markup {
	const { texts } = view;
	const { id: member_id, name = fillIn(texts.member, `${nth + 1}`) } = member;
	const on = isOn(member, view.now_ms);
	const { workspace } = view.at;
	const silenced = isSilenced(member, workspace);
	const presence = on ? texts.is_rung : fillIn(texts.off_until, shortTime(member.off_until ?? '', view));
	const state = silenced ? html`<span class="missed">${texts.is_silenced}</span>` : presence;
	const rung = ringableMembers(workspace).filter((each) => isOn(each, view.now_ms));
	const isLast = rung.length === 1 && rung[0]?.id === member.id;
	const closes = isLast && html`<span class="missed">${texts.asks.closes}</span> `;
	const off = { action: 'switch-member-off', member_id } as const;
	const turnOff = isLast ? asks(view, off, texts.off_today, closes) : button(view, off, texts.off_today);
	const turn = on ? turnOff : button(view, { action: 'switch-member-on', member_id }, texts.on_again);
	const part = partOf(view);
	const edit = html`<a href="team${part}${part === '' ? '?' : '&'}edit=${member_id}#edit">${texts.edit_member}</a>`;
	const remove = asks(
		view,
		{ action: 'remove-member', member_id },
		texts.short.remove,
		html`${closes}${texts.asks.member}`,
		fillIn(texts.remove, shortened(name, MOST_NAME)),
	);
	// If all are rung at once, the order means nothing.
	const isOrdered = workspace.ring_strategy !== 'simultaneous';
	const up = isOrdered && nth > 0 && buttonBeside(view, { action: 'move-member-up', member_id }, 'move_up', name);
	const menu = html`${edit}${offUntil(member_id, closes, view)}${remove}`;
	return html`<tr><th scope="row"><strong><bdi>${name}</bdi></strong></th>
<td class="number"><bdi dir="ltr">${readableMask(member.phone_masked)}</bdi></td>
<td class="turns"><p><span class="${on && !silenced ? 'dot on' : 'dot'}"></span>${state}</p><div class="row">${turn}${up}</div>
${rowMenu(view, name, menu, enteredIn(view, off) !== null)}</td></tr>
`;
}

function offUntil(member_id: string, closes: Markup | false, view: View): Markup {
	const { texts } = view;
	const off = { action: 'switch-member-off', member_id } as const;
	const form = { view, saved: {}, entered: enteredIn(view, off), is_current: true };
	const { value, is_wrong, beside } = fieldValue(form, 'back');
	const label = html` aria-label="${texts.fields.back}"`;
	return html`<details${is_wrong && html` open`}><summary>${texts.fields.back} …</summary>
${closes && html`<p class="soft">${closes}</p>`}
<form method="post" class="row" novalidate>${hidden(view, off)}
<input type="date" name="back"${label}${fieldState(form, 'back')} value="${value}">
${!is_wrong && incomplete(texts.wrong.back)}${beside}<button class="quiet">${texts.off_to_date}</button></form></details>`;
}
