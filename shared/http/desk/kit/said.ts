import { fillIn } from '../../../presentation/team-texts.ts';
import { pageOf } from './list.ts';
import type { PageDeps, View } from './view.ts';

/** For this long after an action, the page says what the action did. */
const FRESH_MS = 10 * 60_000;

/**
 * What the last form did, in words, with the name of the person or thing that it was about. The page's address contains only
 * the kind of the action. The name comes from the person's own newest entry in the audit list. So nobody can make a link with
 * which the page says something false. Null: the page says nothing, or only that the form was saved.
 */
export async function whatWasDone(view: View, deps: PageDeps): Promise<string | null> {
	const { at, texts, query, now_ms } = view;
	const { saved = '' } = query;
	const says = new Map(Object.entries(texts.done)).get(saved);
	if (says === undefined) return null;
	const [entry] = (await pageOf('desk_change', { ...view, query: {} }, deps, { limit: 1 })).items;
	const isOwn = entry?.change === saved && entry.address === at.person.address;
	const isFresh = entry !== undefined && now_ms - Date.parse(entry.created_at) < FRESH_MS;
	if (!isOwn || !isFresh) return null;
	return says.includes('{0}') && !entry.about ? null : fillIn(says, entry.about ?? '');
}
