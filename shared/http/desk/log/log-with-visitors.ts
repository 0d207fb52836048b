import type { DeskChange } from '../../../domain/desk/desk-change.ts';
import type { Markup } from '../../../presentation/markup.ts';
import { maySee } from '../actions.ts';
import { visitorOf } from '../calls/visitor-of.ts';
import type { PageDeps, View } from '../kit/view.ts';
import { logPage, type Visitors } from './log-page.ts';

/** The audit list, with the names of the visitors whose requests were changed. */
export const logWithVisitors = (view: View, deps: PageDeps): Promise<Markup> => logPage(view, deps, visitorsOf);

/**
 * An entry names a request only by its id, so that nothing remains of a visitor whose data was erased. A person who may not see
 * the calls does not see the names here either.
 */
async function visitorsOf(entries: readonly DeskChange[], view: View, deps: PageDeps): Promise<Visitors> {
	const { at, texts } = view;
	if (!maySee(at.person, 'calls')) return new Map();
	const isAboutRequest = ({ change }: DeskChange): boolean => Object.hasOwn(texts.changes_of, change);
	const ids = entries.filter(isAboutRequest).flatMap(({ about }) => about ?? []);
	// All of these reads begin in the same turn, so that the store reads them in one batch.
	const named = [...new Set(ids)].map(async (id) => [id, await visitorOf(id, view, deps)] as const);
	return new Map(await Promise.all(named));
}
