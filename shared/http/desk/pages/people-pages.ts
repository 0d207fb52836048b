import type { DeskChange } from '../../../domain/desk/desk-change.ts';
import { type DeskPerson, deskAddress, deskRoles, hasAccepted } from '../../../domain/workspaces/desk-person.ts';
import { isSilenced, ringableMembers } from '../../../domain/workspaces/silenced-members.ts';
import { isOn, type TeamMember } from '../../../domain/workspaces/workspace.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { readableMask } from '../../../presentation/readable-mask.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { type Credentials, credentialsByMaker } from '../../../use-cases/desk/credentials.ts';
import { losesKeys } from '../roles.ts';
import { blockNote } from './block-note.ts';
import { credentialsQuestion } from './credentials-question.ts';
import { shortTime } from './desk-words.ts';
import { type Form, field, fieldState, fieldValue, formCard } from './fields.ts';
import { asks, button, buttonBeside, hidden, itemList, type PageDeps, pageLinks, pageOf, type View } from './frame.ts';
import { testCallForm } from './test-call.ts';

// The pages about people: the team that is rung, the people of the desk, and what they changed.

/** Who is rung, in which order and how; numbers are typed once and then only masks. */
export function teamPage(view: View): Markup {
	const { texts } = view;
	const members = view.at.workspace.team.map((member, place) => memberRow(member, place, view));
	const test = testCallForm(view);
	const { caller_number } = view.at.workspace;
	const contact = html`<p class="soft">${texts.save_contact}${caller_number && html` <bdi dir="ltr">${caller_number}</bdi>`}</p>`;
	return html`${itemList(members, texts.no_team)}${members.length > 0 && contact}
${test && html`<h2>${texts.test_call.title}</h2><div class="card">${test}</div>`}
<h2>${texts.add_member}</h2>${formCard(view, 'member_added', ['member', 'phone'], texts.add)}
<h2>${texts.fields.ring_strategy}</h2>${formCard(view, 'ringing', ['ring_strategy', 'ring_order'], texts.save)}`;
}

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
	const off = { action: 'member_off', member_id };
	const turnOff = isLast ? asks(view, off, texts.off_today, closes) : button(view, off, texts.off_today);
	const turn = on ? turnOff : button(view, { action: 'member_on', member_id }, texts.on_again);
	const remove = asks(
		view,
		{ action: 'member_removed', member_id },
		texts.short.remove,
		html`${closes}${texts.asks.member}`,
		fillIn(texts.remove, name),
	);
	const up = nth > 0 && buttonBeside(view, { action: 'member_moved', member_id }, 'move_up', name);
	return html`<li><p><strong><bdi>${name}</bdi></strong> <bdi dir="ltr">${readableMask(member.phone_masked)}</bdi></p>
<p class="soft"><span class="${on && !silenced ? 'dot on' : 'dot'}"></span>${state}</p>
<div class="row">${turn}${up}</div>
${remove}${offUntil(member_id, closes, view)}</li>
`;
}

function offUntil(member_id: string, closes: Markup | false, view: View): Markup {
	const { texts, entered } = view;
	const own = entered?.['action'] === 'member_off' && entered['member_id'] === member_id ? entered : null;
	const { value, is_wrong, beside } = fieldValue({ view, saved: {}, entered: own, is_current: true }, 'back');
	return html`<details${is_wrong && html` open`}><summary>${texts.fields.back} …</summary>
${closes && html`<p class="soft">${closes}</p>`}
<form method="post" class="row">${hidden(view, { action: 'member_off', member_id })}
<input type="date" name="back" required aria-label="${texts.fields.back}"${fieldState('back', is_wrong)} value="${value}">
${beside}<button class="quiet">${texts.off_to_date}</button></form></details>`;
}

/** Who may use the desk. */
export async function peoplePage(view: View, deps: PageDeps): Promise<Markup> {
	const { at, texts } = view;
	const made = await credentialsByMaker(at.workspace.id, deps.store);
	const rows = await Promise.all(
		at.workspace.desk.map((person) => personRow(person, made(person.address), view, deps)),
	);
	return html`${itemList(rows, '')}
${asks(view, { action: 'sessions_ended' }, texts.end_all, texts.asks.all_sessions)}
<h2>${texts.invite_title}</h2>${formCard(view, 'person_invited', (form) => invitation(form, made), texts.invite)}`;
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
		{ action: 'person_removed', address },
		texts.short.remove,
		texts.asks.person,
		fillIn(texts.remove, address),
		credentialsQuestion(made, view),
	);
	const you = address === at.person.address && html` (${texts.you})`;
	return html`<li><p><strong><bdi dir="ltr">${address}</bdi></strong>${you}</p>
<p class="soft">${texts.choices.role[role]}</p>
${!hasAccepted(person) && html`<p class="soft">${texts.not_joined}</p>`}${await blockNote(address, view, deps)}
<div class="row">${buttonBeside(view, { action: 'sessions_ended', address }, 'end_sessions', address)}</div>
${remove}</li>
`;
}

/** The audit list, newest first. */
export async function logPage(view: View, deps: PageDeps): Promise<Markup> {
	const page = await pageOf('desk_change', view, deps);
	const rows = page.items.map((item) => html`<li>${auditEntryText(item, view)}</li>\n`);
	return html`${itemList(rows, view.texts.no_changes)}${pageLinks(view, 'log', page)}`;
}

/** Who changed what, and when. */
export function auditEntryText({ address, change, about, created_at }: DeskChange, view: View): Markup {
	const words = new Map(Object.entries(view.texts.changes)).get(change) ?? change;
	return html`<p><bdi dir="ltr">${address}</bdi> ${fillIn(words, about ?? '')}</p>
<p class="soft"><time datetime="${created_at}">${shortTime(created_at, view)}</time></p>`;
}
