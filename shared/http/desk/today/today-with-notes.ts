import { html, type Markup } from '../../../presentation/markup.ts';
import type { PageDeps, View } from '../kit/view.ts';
import { noticesAlert } from '../notices/block-note.ts';
import { lostCard } from '../webhooks/undelivered-card.ts';
import { firstSteps } from './first-steps.ts';
import { meanwhileNote } from './made-meanwhile.ts';
import { todayPage } from './today-page.ts';

/**
 * *Today* with the first steps of a shop without calls, and with the notes about messages that do not arrive and about what
 * was made before an owner restored the desk. The answer to a refused form has none of these, so that the function that runs
 * forms stays small.
 */
export async function todayWithNotes(view: View, deps: PageDeps): Promise<Markup> {
	const [alert, meanwhile, today] = await Promise.all([
		noticesAlert(view, deps),
		meanwhileNote(view, deps),
		todayPage(view, deps, { firstSteps, lostCard }),
	]);
	return html`${alert}${meanwhile}${today}`;
}
