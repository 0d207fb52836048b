import type { DeskChange } from '../../../domain/desk/desk-change.ts';
import { sectionSeen } from '../../../domain/desk/section.ts';
import { type DeskPerson, deskRoles } from '../../../domain/workspaces/desk-person.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { filled } from '../../../presentation/team-texts.ts';
import type { Page } from '../../../use-cases/kernel/list-page.ts';
import type { HttpResponse } from '../../response.ts';
import { shortTime } from './desk-words.ts';
import { button, deskPage, hidden, type View } from './frame.ts';
import { pager } from './today-page.ts';

/** Where messages to the team go. */
export function noticesPage(view: View): HttpResponse {
	const { at, texts } = view;
	const { team_email, team_webhook = null } = at.workspace;
	const chat = team_webhook === null ? html`` : html`<p class="soft">${filled(texts.chat_is, team_webhook.origin)}</p>`;
	const main = html`<form method="post" class="card">${hidden(view, { act: 'notices', seen: sectionSeen('notices', at.workspace) })}
<label for="team_email">${texts.team_email}</label><p class="soft" id="team_email-hint">${texts.team_email_hint}</p>
<input id="team_email" name="team_email" type="email" dir="ltr" aria-describedby="team_email-hint" value="${team_email ?? ''}">
<label class="choice"><input type="checkbox" name="tells_missed_calls" value="yes"${{ markup: at.workspace.tells_missed_calls === false ? '' : ' checked' }}>${texts.tells_missed_calls}</label>
<button>${texts.save}</button></form>${chat}`;
	return deskPage(view, 'notices', main);
}

/** Who may use the desk. */
export function peoplePage(view: View): HttpResponse {
	const { at, texts } = view;
	const people = at.workspace.desk ?? [];
	const roles = deskRoles.toReversed().map((role) => html`<option value="${role}">${texts.role[role]}</option>`);
	const main = html`<ul class="list">${people.map((person) => personRow(person, view))}</ul>
${button(view, { act: 'end_sessions' }, texts.end_all)}
<h2>${texts.invite_title}</h2><form method="post" class="card">${hidden(view, { act: 'invite' })}
<label for="address">${texts.address}</label><input id="address" name="address" type="email" dir="ltr" required>
<label for="role">${texts.role_label}</label><select id="role" name="role">${roles}</select>
<button>${texts.invite}</button></form>`;
	return deskPage(view, 'people', main);
}

function personRow({ address, role }: DeskPerson, view: View): Markup {
	const { at, texts } = view;
	const you = address === at.person.address ? html` (${texts.you})` : html``;
	return html`<li><p><strong><bdi dir="ltr">${address}</bdi></strong>${you}</p><p class="soft">${texts.role[role]}</p>
<div class="row">${button(view, { act: 'end_sessions', address }, texts.short.end_sessions, { name: filled(texts.end_sessions, address) })}${button(view, { act: 'remove_person', address }, texts.short.remove, { name: filled(texts.remove, address) })}</div></li>
`;
}

/** The audit list, newest first. */
export function logPage(view: View, { items, next_before_id }: Page<DeskChange>, older: boolean): HttpResponse {
	const { texts } = view;
	const rows = items.map(
		({ address, change, about, created_at }) =>
			html`<li><p><bdi dir="ltr">${address}</bdi> ${filled(texts.changes[change], about ?? '')}</p>
<p class="soft"><time datetime="${created_at}">${shortTime(created_at, view)}</time></p></li>
`,
	);
	const list = rows.length === 0 ? html`<p>${texts.no_changes}</p>` : html`<ul class="list">${rows}</ul>`;
	return deskPage(view, 'log', html`${list}${pager(view, 'log', next_before_id, older)}`);
}
