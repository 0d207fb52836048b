import { API_KEY_PREFIX, type ApiKey } from '../../../domain/access/api-key.ts';
import { permissions } from '../../../domain/access/permission.ts';
import { fillMarkup, html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { field, ticks } from '../kit/fields.ts';
import { button, type Form, formCard } from '../kit/form.ts';
import { itemList, pageLinks, pageOf } from '../kit/list.ts';
import { shortTime } from '../kit/times.ts';
import type { DeveloperDeps, PageDeps, View } from '../kit/view.ts';
import { connectPart } from './connect-part.ts';
import { madeBy } from './made-by.ts';
import { secretNote } from './secret-note.ts';

/** The API keys of the workspace, newest first. If one was just made, also its secret, once. */
export async function keysPage(view: View, deps: DeveloperDeps): Promise<Markup> {
	const { keys } = view.texts;
	const secret = await secretNote(view, deps, async (id) => {
		const made = await deps.store.get('api_key', { id });
		return fillMarkup(view.texts.secret.key, html`<bdi>${made?.name}</bdi>`);
	});
	const page = await pageOf('api_key', view, deps);
	const rows = await Promise.all(page.items.map((key) => keyRow(key, view, deps)));
	return html`${secret}${itemList(rows, keys.none)}${pageLinks(view, 'keys', page)}
<h2>${keys.create_title}</h2>${formCard(view, 'create-key', newKeyForm, keys.create)}${connectPart(view, deps)}`;
}

function newKeyForm(form: Form): Markup {
	const boxes = permissions.map((each) => [each, html`<bdi dir="ltr">${each}</bdi>`] as const);
	const hint = html`<p class="soft">${form.view.texts.keys.reads_visitors}</p>`;
	return html`${field(form, 'key_name')}${ticks(form, 'permissions', boxes, hint)}`;
}

async function keyRow(
	{ id, name, permissions, created_at, revoked_at, made_by }: ApiKey,
	view: View,
	{ store }: PageDeps,
): Promise<Markup> {
	const { keys } = view.texts;
	const usedAt = (await store.get('api_key_use', { id }))?.last_used_at;
	const used = usedAt === undefined ? keys.never_used : fillIn(keys.used, shortTime(usedAt, view));
	const revoke = html`<details><summary>${keys.revoke}</summary><p class="soft">${keys.revoke_hint}</p>
${button(view, { action: 'revoke-key', id }, keys.revoke_now)}</details>`;
	const state =
		revoked_at === null ? revoke : html`<p class="missed">${fillIn(keys.revoked, shortTime(revoked_at, view))}</p>`;
	return html`<li><p><strong><bdi>${name}</bdi></strong></p>
<p class="soft"><bdi dir="ltr">${API_KEY_PREFIX}${id}_…</bdi></p>
<p><bdi dir="ltr">${permissions.join(', ')}</bdi></p>
<p class="soft">${fillIn(keys.created, shortTime(created_at, view))}${madeBy(made_by, view)} · ${used}</p>
${state}</li>
`;
}
