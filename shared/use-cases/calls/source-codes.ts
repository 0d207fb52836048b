import { sourceOf } from '../../domain/calls/source.ts';
import { codeSource, dayOf, MOST_NAMES, namesCounter } from '../../domain/calls/source-names.ts';
import type { SourceCodes } from '../../domain/calls/tally.ts';
import { type Store, StoreBusy } from '../../ports/store.ts';

type Asked = { readonly workspace_id: string; readonly created_at: string; readonly source_url: string };

/**
 * The codes that stand for the page and the campaign of a call or lead in its tally. If a name has no code on this day yet,
 * this function gives the name a code, before the tally's transaction. If that transaction fails, the name has a code but no
 * figures. If another process has just given the code to another name, this function reads the names again and tries the
 * next code.
 */
export async function sourceCodes(asked: Asked, store: Pick<Store, 'used' | 'count'>): Promise<SourceCodes> {
	const source = sourceOf(asked.source_url);
	const counter = namesCounter(asked.workspace_id, dayOf(asked.created_at));
	// Each time this function finds a code taken, another name has used up one more code. There are `MOST_NAMES` codes for
	// pages and `MOST_NAMES` codes for campaigns, so the loop ends.
	for (let tries = 0; tries <= 2 * MOST_NAMES; tries += 1) {
		const { codes, names } = codeSource(source, asked, await store.used(counter));
		if (names === null || (await store.count(names)).counted) return codes;
	}
	throw new StoreBusy('too many new pages at once');
}
