import { API_KEY_PREFIX, type ApiKey } from '../../../domain/access/api-key.ts';
import { permissions } from '../../../domain/access/permission.ts';
import { fillMarkup, html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { fieldOf, ticks } from '../kit/fields.ts';
import { addForm, asks, type Form } from '../kit/form.ts';
import { itemList, pageLinks, pageOf, rowMenu } from '../kit/list.ts';
import { shortTime } from '../kit/times.ts';
import type { DeveloperDeps, PageDeps, View } from '../kit/view.ts';
import { connectPart } from './connect-part.ts';
import { madeBy } from './made-by.ts';
import { secretNote } from './secret-note.ts';

/** The API keys of the workspace, newest first. If a key was just made, the page also shows its secret, once. */
export async function keysPage(view: View, deps: DeveloperDeps): Promise<Markup> {
	const { keys } = view.texts;
	const secret = await secretNote(view, deps, async (id) => {
		const made = await deps.store.get('api_key', { id });
		return fillMarkup(view.texts.secret.key, html`<bdi>${made?.name}</bdi>`);
	});
	const page = await pageOf('api_key', view, deps);
	const rows = await Promise.all(page.items.map((key) => keyRow(key, view, deps)));
	const create = addForm(view, 'create-key', {
		title: keys.create_title,
		isEmpty: rows.length === 0,
		content: newKeyForm,
		label: keys.create,
	});
	return html`${secret}${create}${itemList(rows, keys.none)}${pageLinks(view, 'keys', page)}${connectPart(view, deps)}`;
}

const KEY_NAME = { more: 'required maxlength="100" autocomplete="off"' };

function newKeyForm(form: Form): Markup {
	const boxes = permissions.map((each) => [each, html`<bdi dir="ltr">${each}</bdi>`] as const);
	const hint = html`<p class="soft">${form.view.texts.keys.reads_visitors}</p>`;
	return html`${fieldOf(form, 'key_name', KEY_NAME)}${ticks(form, 'permissions', boxes, hint)}`;
}

async function keyRow(
	{ id, name, permissions, created_at, revoked_at, made_by }: ApiKey,
	view: View,
	{ store }: PageDeps,
): Promise<Markup> {
	const { keys } = view.texts;
	const usedAt = (await store.get('api_key_use', { id }))?.last_used_at;
	const used = usedAt === undefined ? keys.never_used : fillIn(keys.used, shortTime(usedAt, view));
	const isLive = revoked_at === null;
	const state = isLive
		? html`<span class="soft">${used}</span>`
		: html`<span class="chip missed">${fillIn(keys.revoked, shortTime(revoked_at, view))}</span>`;
	const revoke = () => asks(view, { action: 'revoke-key', id }, keys.revoke, keys.revoke_hint, keys.revoke_now);
	const made = html`${fillIn(keys.created, shortTime(created_at, view))}${madeBy(made_by, view)}`;
	return html`<li class="item"><p class="who" dir="auto"><strong>${name}</strong></p>
<p class="result">${state}</p>
<p class="to" dir="ltr"><code>${API_KEY_PREFIX}${id}_…</code></p>
<p class="more"><code dir="ltr">${permissions.join(', ')}</code> · ${made}</p>
${isLive && rowMenu(view, name, revoke())}</li>
`;
}
