import { shortened } from '../../../domain/kernel/visible-line.ts';
import {
	type DeskPerson,
	deskAddress,
	deskRoles,
	hasAccepted,
	MOST_PERSON_NAME,
} from '../../../domain/workspaces/desk-person.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { type Credentials, credentialsByMaker } from '../../../use-cases/desk/credentials.ts';
import { losesKeys } from '../actions.ts';
import { field, fieldOf, labelOf } from '../kit/fields.ts';
import { addForm, asks, buttonBeside, type Form, hidden, tick } from '../kit/form.ts';
import { inParts, MOST_NAME, rowMenu, tableList } from '../kit/list.ts';
import { dayInWords } from '../kit/times.ts';
import type { PageDeps, View } from '../kit/view.ts';
import { blockNote } from '../notices/block-note.ts';
import { credentialsQuestion } from './credentials-question.ts';

/** The people who may use the desk, and the forms that change them. */
export async function peoplePage(view: View, deps: PageDeps): Promise<Markup> {
	const { at, texts } = view;
	const credentialsOf = await credentialsByMaker(at.workspace.id, deps.store);
	const { shown, links } = inParts(view, 'people', at.workspace.desk);
	const rows = await Promise.all(shown.map((person) => personRow(person, credentialsOf(person.address), view, deps)));
	const heads = [texts.heads.person, texts.fields.role, texts.heads.last_visit];
	const [before = '', after = ''] = texts.people_are.split('{0}');
	return html`<p class="soft">${before}<a href="team">${texts.pages.team}</a>${after}</p>
${addForm(view, 'invite-person', {
	title: texts.invite_title,
	isEmpty: false,
	content: (form) => invitation(form, credentialsOf),
	label: texts.invite,
})}${tableList(heads, rows, '', 'sheet people')}${links}
${asks(view, { action: 'end-sessions' }, texts.end_all, texts.asks.all_sessions)}`;
}

/**
 * The form that invites a person. If it was refused because the person would lose the right to make keys, it also asks which
 * credentials end.
 */
function invitation(form: Form, credentialsOf: (address: string) => Credentials): Markup {
	const { address = '', role } = form.entered ?? {};
	const asksAbout = deskRoles.find((each) => each === role);
	const who = deskAddress(address);
	const asked = asksAbout !== undefined && losesKeys(who, asksAbout, form.view.at.workspace.desk);
	const name = fieldOf(form, 'member', { more: `maxlength="${MOST_PERSON_NAME}" autocomplete="off"` });
	const question = asked && credentialsQuestion(credentialsOf(who), form.view);
	return html`${name}${field(form, 'address')}${field(form, 'role')}${question}`;
}

async function personRow(person: DeskPerson, made: Credentials, view: View, deps: PageDeps): Promise<Markup> {
	const { at, texts } = view;
	const { address, role, name } = person;
	const you = address === at.person.address && html` (${texts.you})`;
	const joined = hasAccepted(person);
	const again = buttonBeside(view, { action: 'invite-person', address, role }, 'invite_again', address);
	const end = buttonBeside(view, { action: 'end-sessions', address }, 'end_sessions', address);
	const [block, visit] = await Promise.all([
		blockNote(address, view, deps),
		deps.store.get('desk_address', { address, workspace_id: at.workspace.id }),
	]);
	const visited = joined && visit?.visited_at !== undefined && lastVisit(visit.visited_at, view);
	const menu = html`${joined && end}${nameForm(person, view)}${roleForm(person, view)}${removal(person, made, view)}`;
	const invitation = !joined && html`<p class="soft">${texts.not_joined}</p><div class="row">${again}</div>`;
	const mail = html`<bdi dir="ltr">${address}</bdi>`;
	const who =
		name === undefined
			? html`<strong>${mail}</strong>${you}`
			: html`<strong><bdi>${name}</bdi></strong>${you} <span class="soft">${mail}</span>`;
	return html`<tr><th scope="row">${who}</th><td>${roleOf(person, view)}</td>
<td class="when">${visited}${invitation}${block}${rowMenu(view, address, menu)}</td></tr>
`;
}

/** What a person may do. A phone has room only for the name of the role, which ends at the colon. */
function roleOf({ role }: DeskPerson, { texts }: View): Markup {
	const [name = '', ...rest] = texts.choices.role[role].split(/(?=\s?:)/);
	return html`${name}<span class="wide">${rest.join('')}</span>`;
}

/** When a person was last at the desk. On a phone, which has no headings, with the words `Last visit`. */
function lastVisit(at: string, view: View): Markup {
	const [before = '', after = ''] = view.texts.last_visit.split('{0}');
	return html`<p><span class="phone">${before}</span>${dayInWords(at, view)}${after}</p>`;
}

/** The form that changes or removes a person's name. */
function nameForm({ address, name = '' }: DeskPerson, view: View): Markup {
	const { fields, save } = view.texts;
	const label = labelOf('member', view);
	return html`<details><summary>${fields.member} …</summary>
<form method="post">${hidden(view, { action: 'rename-person', address })}<label>${label}
<input name="member" value="${name}" maxlength="${MOST_PERSON_NAME}"></label>
<button class="quiet">${save}</button></form></details>`;
}

/**
 * The form that changes a person's role. Before some changes, the desk has to ask which credentials end. In that case, the
 * answer to this form shows the question in the form that invites people, because both forms have the same fields.
 */
function roleForm({ address, role }: DeskPerson, view: View): Markup {
	const { texts } = view;
	const roles = deskRoles.map((each) => tick('radio', 'role', each, role, texts.choices.role[each]));
	return html`<details><summary>${texts.fields.role} …</summary>
<form method="post">${hidden(view, { action: 'invite-person', address })}<fieldset>
<legend>${texts.fields.role}</legend>${roles}</fieldset><button class="quiet">${texts.save}</button></form></details>`;
}

/** Removes a person. If the person has not opened the desk yet, takes back the invitation. */
function removal(person: DeskPerson, made: Credentials, view: View): Markup {
	const { texts } = view;
	const { address } = person;
	const action = { action: 'remove-person', address } as const;
	if (!hasAccepted(person)) return asks(view, action, texts.take_back, texts.asks.invitation);
	const question = credentialsQuestion(made, view);
	return asks(
		view,
		action,
		texts.short.remove,
		texts.asks.person,
		fillIn(texts.remove, shortened(address, MOST_NAME)),
		question,
	);
}
