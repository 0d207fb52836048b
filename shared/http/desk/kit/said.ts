import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { pageOf } from './list.ts';
import type { PageDeps, View } from './view.ts';

/** How long after an action the page still says what it did. */
const FRESH_MS = 10 * 60_000;
/** The actions whose form has the note below its button. */
const IN_FORM: readonly string[] = [
	'hours',
	'ringing',
	'site',
	'look',
	'consent',
	'notices',
	'member_added',
	'person_invited',
];

/** Where the page goes on after a form of a page: to the note that says what was done. `word`: what the form sent. */
export const savedQuery = (word: string): string => `saved=${word}${IN_FORM.includes(word) ? '#said' : ''}`;

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

/** The note below the button of a form that was just saved. */
export function noteInForm({ said, query, texts }: View, word: string): Markup | false {
	const isThis = query['saved'] === word && IN_FORM.includes(word);
	return isThis && html`<p class="note said" id="said" role="status">${said ?? texts.saved}</p>`;
}

/** Whether a form of the page has the note, so that the head of the page has none. */
export const isInForm = (word: string): boolean => IN_FORM.includes(word);
