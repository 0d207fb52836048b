import { type DeskPerson, deskAddress, deskRoles, hasAccepted } from '../../../domain/workspaces/desk-person.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { type Credentials, credentialsByMaker } from '../../../use-cases/desk/credentials.ts';
import { losesKeys } from '../actions.ts';
import { field } from '../kit/fields.ts';
import { asks, buttonBeside, type Form, formCard } from '../kit/form.ts';
import { itemList } from '../kit/list.ts';
import type { PageDeps, View } from '../kit/view.ts';
import { blockNote } from '../notices/block-note.ts';
import { credentialsQuestion } from './credentials-question.ts';

/** Who may use the desk. */
export async function peoplePage(view: View, deps: PageDeps): Promise<Markup> {
	const { at, texts } = view;
	const made = await credentialsByMaker(at.workspace.id, deps.store);
	const rows = await Promise.all(
		at.workspace.desk.map((person) => personRow(person, made(person.address), view, deps)),
	);
	return html`${itemList(rows, '')}
${asks(view, { action: 'end-sessions' }, texts.end_all, texts.asks.all_sessions)}
<h2>${texts.invite_title}</h2>
${formCard(view, 'invite-person', (form) => invitation(form, made), texts.invite)}`;
}

/** After it was refused because a person would lose the right to make keys: which of those end. */
function invitation(form: Form, made: (address: string) => Credentials): Markup {
	const { address = '', role } = form.entered ?? {};
	const asksAbout = deskRoles.find((each) => each === role);
	const who = deskAddress(address);
	const asked = asksAbout !== undefined && losesKeys(who, asksAbout, form.view.at.workspace.desk);
	return html`${field(form, 'address')}${field(form, 'role')}${asked && credentialsQuestion(made(who), form.view)}`;
}

async function personRow(
	{ address, role, ...person }: DeskPerson,
	made: Credentials,
	view: View,
	deps: PageDeps,
): Promise<Markup> {
	const { at, texts } = view;
	const remove = asks(
		view,
		{ action: 'remove-person', address },
		texts.short.remove,
		texts.asks.person,
		fillIn(texts.remove, address),
		credentialsQuestion(made, view),
	);
	const you = address === at.person.address && html` (${texts.you})`;
	return html`<li><p><strong><bdi dir="ltr">${address}</bdi></strong>${you}</p>
<p class="soft">${texts.choices.role[role]}</p>
${!hasAccepted(person) && html`<p class="soft">${texts.not_joined}</p>`}${await blockNote(address, view, deps)}
<div class="row">${buttonBeside(view, { action: 'end-sessions', address }, 'end_sessions', address)}</div>
${remove}</li>
`;
}
