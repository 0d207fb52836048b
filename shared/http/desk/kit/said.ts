import { shortened, visibleLine } from '../../../domain/kernel/visible-line.ts';
import { fillMarkup, html, type Markup } from '../../../presentation/markup.ts';
import { type ActionName, actionOf, deskActions, wordOf } from '../actions.ts';
import { MOST_NAME, pageOf } from './list.ts';
import type { PageDeps, View } from './view.ts';

/** For this long after an action, the page says what the action did. */
const FRESH_MS = 10 * 60_000;

const ofRequests = [
	'handle-request',
	'dismiss-request',
	'reopen-request',
	'do-not-call',
] as const satisfies readonly ActionName[];
/** The changes whose entries in the audit list name a request only by its id. */
const requestChanges = new Set<string>(ofRequests.map(wordOf));

/** Whether the entries of this change in the audit list name a person of the desk by the person's address. */
function isAboutPerson(word: string): boolean {
	const action = actionOf(word);
	return action !== undefined && deskActions[action].page === 'people';
}

/** Returns the name of the visitor who made a request, or null if it cannot be told. */
type VisitorOf = (id: string, view: View, deps: PageDeps) => Promise<string | null>;

/**
 * What the last form did, in words, with the name of the person or thing that it was about. The page's address contains only
 * the kind of the action. The name comes from the person's own newest entry in the audit list, or from the request that this
 * entry is about. So nobody can make a link with which the page says something false. `visitorOf` is absent for a site that
 * may not read requests. Null: the page says nothing, or only that the form was saved.
 */
export async function whatWasDone(view: View, deps: PageDeps, visitorOf?: VisitorOf): Promise<Markup | null> {
	const { at, texts, query, now_ms } = view;
	const { saved = '' } = query;
	const says = new Map(Object.entries(texts.done)).get(saved);
	if (says === undefined) return null;
	const [entry] = (await pageOf('desk_change', { ...view, query: {} }, deps, { limit: 1 })).items;
	const isOwn = entry?.change === saved && entry.address === at.person.address;
	const isFresh = entry !== undefined && now_ms - Date.parse(entry.created_at) < FRESH_MS;
	if (!isOwn || !isFresh) return null;
	const about = entry.about ?? '';
	const person = isAboutPerson(saved) ? at.workspace.desk.find(({ address }) => address === about) : undefined;
	const isRequest = requestChanges.has(saved);
	const name = isRequest && about !== '' ? await visitorOf?.(about, view, deps) : (person?.name ?? about);
	if (says.includes('{0}') && !name) return null;
	const shown = isRequest ? shortened(visibleLine(name ?? ''), MOST_NAME) : name;
	return fillMarkup(says, html`<bdi>${shown ?? ''}</bdi>`);
}
