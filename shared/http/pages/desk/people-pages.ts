import type { DeskChange } from '../../../domain/desk/desk-change.ts';
import { type DeskPerson, deskRoles } from '../../../domain/workspaces/desk-person.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import type { Page } from '../../../use-cases/kernel/list-page.ts';
import { sections, seenOf } from '../../desk/sections.ts';
import type { HttpResponse } from '../../response.ts';
import { shortTime } from './desk-words.ts';
import { fieldValue, formCard, selectField, textField } from './fields.ts';
import { button, deskPage, pageLinks, type View } from './frame.ts';

/** Where messages to the team go. */
export function noticesPage(view: View): HttpResponse {
	const { texts } = view;
	const { workspace } = view.at;
	const { team_webhook = null } = workspace;
	const form = { view, act: 'notices', saved: sections.notices.saved(workspace), seen: seenOf('notices', workspace) };
	const tells = fieldValue(form, 'tells_missed_calls');
	const content = html`${textField(form, 'team_email', { label: texts.team_email, hint: texts.team_email_hint, more: ' type="email" dir="ltr"' })}
<label class="choice"><input type="checkbox" name="tells_missed_calls" value="yes"${{ markup: tells.value === 'yes' ? ' checked' : '' }}>${texts.tells_missed_calls}</label>${tells.beside}`;
	const chat = team_webhook === null ? html`` : html`<p class="soft">${fillIn(texts.chat_is, team_webhook.origin)}</p>`;
	return deskPage(view, 'notices', html`${formCard(form, content, texts.save)}${chat}`);
}

/** Who may use the desk. */
export function peoplePage(view: View): HttpResponse {
	const { at, texts } = view;
	const people = at.workspace.desk ?? [];
	const form = { view, act: 'person_invited', saved: { role: 'member' } };
	const content = html`${textField(form, 'address', { label: texts.address, more: ' type="email" dir="ltr" required' })}
${selectField(
	form,
	'role',
	texts.role_label,
	deskRoles.map((role) => [role, texts.role[role]]),
)}`;
	const main = html`<ul class="list">${people.map((person) => personRow(person, view))}</ul>
${button(view, { act: 'sessions_ended' }, texts.end_all)}
<h2>${texts.invite_title}</h2>${formCard(form, content, texts.invite)}`;
	return deskPage(view, 'people', main);
}

function personRow({ address, role }: DeskPerson, view: View): Markup {
	const { at, texts } = view;
	const you = address === at.person.address ? html` (${texts.you})` : html``;
	const end = { name: fillIn(texts.end_sessions, address) };
	return html`<li><p><strong><bdi dir="ltr">${address}</bdi></strong>${you}</p><p class="soft">${texts.role[role]}</p>
<div class="row">${button(view, { act: 'sessions_ended', address }, texts.short.end_sessions, end)}${button(view, { act: 'person_removed', address }, texts.short.remove, { name: fillIn(texts.remove, address) })}</div></li>
`;
}

/** The audit list, newest first. */
export function logPage(view: View, { items, next_before_id }: Page<DeskChange>, older: boolean): HttpResponse {
	const { texts } = view;
	const rows = items.map((item) => html`<li>${changeLine(item, view)}</li>\n`);
	const list = rows.length === 0 ? html`<p class="empty">${texts.no_changes}</p>` : html`<ul class="list">${rows}</ul>`;
	return deskPage(view, 'log', html`${list}${pageLinks(view, 'log', next_before_id, older)}`);
}

/** Who changed what, and when. */
export function changeLine({ address, change, about, created_at }: DeskChange, view: View): Markup {
	return html`<p><bdi dir="ltr">${address}</bdi> ${fillIn(view.texts.changes[change], about ?? '')}</p>
<p class="soft"><time datetime="${created_at}">${shortTime(created_at, view)}</time></p>`;
}
