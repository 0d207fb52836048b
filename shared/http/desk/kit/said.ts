import { fillIn } from '../../../presentation/team-texts.ts';
import { pageOf } from './list.ts';
import type { PageDeps, View } from './view.ts';

/** How long after an action the page still says what it did. */
const FRESH_MS = 10 * 60_000;

/**
 * What was just done, in words, with the name of whom it was about. The address names only the kind: the name is that of the
 * person's own latest entry in the audit list, so no link can make a page say something. Null: nothing, or nothing more than
 * that it was saved.
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
